using System.Globalization;
using System.Text;
using MgbaBridge.Gateway.Benchmarks.Pictures;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>The lab's figures as tables and pictures.</summary>
internal static class ModelsReport
{
    public static void Write(string folder, string note, List<ModelRow> rows, List<ModelRow> lasting, List<DatagramRow> datagrams)
    {
        File.WriteAllText(Path.Combine(folder, "models.md"), Markdown(note, rows, lasting, datagrams));
        Draw(folder, "models-rate.svg", "Echoes a second", "/s", rows, row => row.Rate, isLog: false);
        Draw(folder, "models-latency.svg", "p99 of an echo", "ms", rows, row => row.Latency.P99, isLog: true);
        Draw(folder, "models-memory.svg", "Peak resident memory of the server", "MB", rows, row => row.PeakResidentMb, isLog: false);
    }

    private static void Draw(string folder, string file, string title, string unit, List<ModelRow> rows, Func<ModelRow, double> value, bool isLog)
    {
        var series = rows.GroupBy(row => row.Model).Select(group => new Series(group.Key, [.. group.Select(row => ((double)row.Sockets, value(row)))])).ToList();
        var about = $"{EchoFleet.MessageBytes} bytes, one message under way on each socket, clients in another process";
        File.WriteAllText(Path.Combine(folder, file), new LineChart(title, about, "sockets", unit, series) { IsLogUp = isLog }.Write());
    }

    private static string Markdown(string note, List<ModelRow> rows, List<ModelRow> lasting, List<DatagramRow> datagrams)
    {
        var text = new StringBuilder("# Ways to serve connections\n\n");
        text.Append(CultureInfo.InvariantCulture, $"{DateTime.UtcNow:yyyy-MM-dd HH:mm} UTC. {note}\n\n");
        text.Append("Echo of 36 bytes. *select* is Socket.Select, which on Linux is poll() and so has no wall at 1,024 descriptors; *async* is async Socket on the thread pool; *reuseport* are listeners on one port, each with a thread and epoll of its own. Most of the virtual memory is what the runtime reserves for its heap at the start.\n");
        text.Append("\n## Back to back\n\n");
        AddRows(text, rows, isLasting: false);
        text.Append("\n![rate](models-rate.svg)\n![p99](models-latency.svg)\n![memory](models-memory.svg)\n");
        text.Append("\n## 400 lasting clients, each 15 times a second, beside one that connects, asks and closes\n\n");
        AddRows(text, lasting, isLasting: true);
        text.Append("\n## How connections spread over the listeners of one port\n\n| listeners | sockets | fewest | most | most against the mean |\n|---|---:|---:|---:|---:|\n");
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

    private static void AddRows(StringBuilder text, List<ModelRow> rows, bool isLasting)
    {
        text.Append("| model | sockets | connected in | echoes/s | p50 | p99 | max | server CPU | peak virtual MB | peak resident MB | threads | wrong |");
        text.Append(isLasting ? " churn/s | churn failed |\n" : "\n").Append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|").Append(isLasting ? "---:|---:|\n" : "\n");
        foreach (var row in rows)
        {
            var latency = row.Latency;
            text.Append(CultureInfo.InvariantCulture, $"| {row.Model} | {row.Sockets} | {row.ConnectSeconds * 1000:0} ms | {row.Rate:N0} | {latency.P50:0.000} | {latency.P99:0.000} | {latency.Max:0.0} ");
            text.Append(CultureInfo.InvariantCulture, $"| {row.Cpu:0.00} | {row.PeakVirtualMb:N0} | {row.PeakResidentMb:0} | {row.Threads} | {row.Wrong} |");
            text.Append(isLasting ? string.Create(CultureInfo.InvariantCulture, $" {row.ChurnRate:N0} | {row.ChurnFailed} |\n") : "\n");
        }
    }
}
