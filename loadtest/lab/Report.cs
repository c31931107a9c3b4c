using System.Globalization;
using System.Text;

namespace MgbaBridge.Lab;

/// <summary>The results as tables and charts.</summary>
internal static class Report
{
    public static void Write(string folder, string note, List<ModelRow> rows, List<ModelRow> persistent, List<DatagramRow> datagrams)
    {
        File.WriteAllText(Path.Combine(folder, "models.md"), Markdown(note, rows, persistent, datagrams));
        Charts.Write(
            folder,
            "models",
            Chart("models-rate.svg", "Echoes a second", "/s", rows, row => row.Rate, log: false),
            Chart("models-latency.svg", "p99 of an echo", "ms", rows, row => row.Latency.P99, log: true),
            Chart("models-memory.svg", "Peak resident memory of the server", "MB", rows, row => row.PeakResidentMb, log: false));
    }

    private static LineChart Chart(string file, string title, string unit, List<ModelRow> rows, Func<ModelRow, double> value, bool log)
    {
        var series = rows.GroupBy(row => row.Model).Select(group => new Series(group.Key, [.. group.Select(row => new[] { row.Sockets, value(row) })])).ToList();
        var subtitle = $"{EchoClients.MessageBytes} bytes, one message in flight per socket, clients in another process";
        return new LineChart(file, title, subtitle, "sockets", unit, log, series);
    }

    private static string Markdown(string note, List<ModelRow> rows, List<ModelRow> persistent, List<DatagramRow> datagrams)
    {
        var text = new StringBuilder("# Ways to serve connections\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC. {note}\n\n");
        text.Append("Echo of 36 bytes. *select* is Socket.Select, which on Linux is poll() and therefore not limited to 1,024 descriptors; *async* is asynchronous Socket calls on the thread pool; "
            + "*reuseport* is several listeners on one port, each with its own thread and epoll. Most of the virtual memory is address space that the runtime reserves for its heap.\n");
        text.Append("\n## Back to back\n\n");
        AddRows(text, rows, isPersistent: false);
        text.Append("\n![rate](models-rate.svg)\n![p99](models-latency.svg)\n![memory](models-memory.svg)\n");
        text.Append("\n## 400 persistent clients at 15 messages a second each, and one client that opens a connection for each message\n\n");
        AddRows(text, persistent, isPersistent: true);
        text.Append("\n## How connections spread over the listeners of one port\n\n| listeners | sockets | fewest | most | most / mean |\n|---|---:|---:|---:|---:|\n");
        foreach (var row in rows.Where(row => row.Accepted.Count > 1))
        {
            text.Append(CultureInfo.InvariantCulture, $"| {row.Model} | {row.Sockets} | {row.Accepted.Min()} | {row.Accepted.Max()} | {row.Accepted.Max() / row.Accepted.Average():0.00}x |\n");
        }
        text.Append("\n## Datagrams\n\n| way | bytes | datagrams/s | allocated each | server CPU | lost |\n|---|---:|---:|---:|---:|---:|\n");
        foreach (var row in datagrams)
        {
            text.Append(CultureInfo.InvariantCulture, $"| {row.Model} | {row.Bytes} | {row.Rate:N0} | {row.AllocatedEach:0.0} bytes | {row.Cpu:0.00} | {row.Lost} |\n");
        }
        return text.ToString();
    }

    private static void AddRows(StringBuilder text, List<ModelRow> rows, bool isPersistent)
    {
        text.Append("| model | sockets | connected in | echoes/s | p50 | p99 | max | server CPU | peak virtual MB | peak resident MB | threads | wrong |");
        text.Append(isPersistent ? " churn/s | churn failed |\n" : "\n").Append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|").Append(isPersistent ? "---:|---:|\n" : "\n");
        foreach (var row in rows)
        {
            var latency = row.Latency;
            text.Append(CultureInfo.InvariantCulture, $"| {row.Model} | {row.Sockets} | {row.ConnectSeconds * 1000:0} ms | {row.Rate:N0} | {latency.P50:0.000} | {latency.P99:0.000} | {latency.Max:0.0} ");
            text.Append(CultureInfo.InvariantCulture, $"| {row.Cpu:0.00} | {row.PeakVirtualMb:N0} | {row.PeakResidentMb:0} | {row.Threads} | {row.Wrong} |");
            text.Append(isPersistent ? string.Create(CultureInfo.InvariantCulture, $" {row.ChurnRate:N0} | {row.ChurnFailed} |\n") : "\n");
        }
    }
}
