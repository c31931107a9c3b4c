using System.Diagnostics;
using MgbaBridge.Lab.Load;

namespace MgbaBridge.Lab;

/// <summary>`connections`: measures each server under each load, and writes the report.</summary>
/// <param name="Seconds">The length of a measurement.</param>
/// <param name="Sockets">Numbers of connections.</param>
/// <param name="Idle">Connections of the mostly idle clients.</param>
internal sealed record Connections(double Seconds, int[] Sockets, int Idle)
{
    private static readonly string[] BackToBack = ["threads", "threads-lock", "select", "epoll", "async"];
    private static readonly string[] ForIdle = ["threads", "select", "epoll", "async"];
    private static readonly string[] Spreads = ["listeners", "acceptors"];
    private static readonly string[] Datagrams = ["udp-client", "udp-pinned"];
    private static readonly int[] Threads = [1, 1, 8, 64, 512];
    private static readonly int[] DatagramBytes = [1024, 8192];
    private static readonly TimeSpan IdlePeriod = TimeSpan.FromSeconds(1);
    private const int Spread = 4; // listeners, or accepting threads

    private TimeSpan Length => TimeSpan.FromSeconds(Seconds);

    /// <summary>0; 1 when something that must hold did not.</summary>
    public int Run(string folder, string machine)
    {
        var report = new Report("Ways to serve connections", machine);
        var failures = new List<string>();
        var fitting = Fitting(report);

        var chart = new Chart("Echoes a second", "connections", "echoes a second");
        report.Table(
            "Back to back",
            $"{EchoClients.MessageBytes} bytes, one message in flight on each connection. `threads-lock`: all threads take one lock around an answer. Select: the mean time of a call that finds something to read. Wrong answers would end the run.",
            ["server", "connections", "connected in", "echoes/s", "p50 ms", "p99 ms", "processors", "MB", "threads", "select us"],
            BackToBack.SelectMany(server => fitting.Select(sockets => Row(server, sockets, failures, chart))));
        if (fitting.Length > 0)
        {
            chart.Write(Path.Combine(folder, "lab-rate.svg"));
            report.Line("![Echoes a second by number of connections](lab-rate.svg)");
        }

        report.Table(
            "Starting threads", "Threads that wait, created one after the other.", ["threads", "ms", "MB"],
            Threads.Select(StartThreads).Skip(1)); // the first one also compiles

        if (Idle < LargestCount())
        {
            report.Table(
                $"{Idle} mostly idle clients, and one that comes and goes",
                $"Each sends a message every {IdlePeriod.TotalSeconds:0} s; meanwhile one client connects, sends a message and closes, again and again.",
                ["server", "processors", "MB", "threads", "p50 ms", "p99 ms", "connections opened and closed/s", "failed"],
                ForIdle.Select(server => IdleRow(server, failures)));
        }

        report.Table(
            "How connections spread",
            $"{Spread} listeners on one port (SO_REUSEPORT), and {Spread} threads that accept on one listener: the connections of each.",
            ["server", "connections", "fewest", "most", "most / mean"],
            Spreads.SelectMany(server => fitting.Where(sockets => sockets >= Spread).Select(sockets => SpreadRow(server, sockets))));

        report.Table(
            "Handing the port over",
            "Clients connect all the time while one owner of the port takes over from another, 20 times. One listener that both hold loses none (asserted); of several listeners on one port, the one that closes loses what waits in its queue.",
            ["way", "connections", "lost"],
            HandOver.Ways.Select(way => HandOverRow(way, failures)));

        report.Table(
            "Datagrams",
            "16 in flight. Allocated: by the runtime's own counter, for each datagram; 0 with a pinned buffer (asserted).",
            ["server", "bytes", "datagrams/s", "MB/s", "processors", "bytes allocated each", "lost"],
            DatagramBytes.SelectMany(bytes => Datagrams.Select(server => DatagramRow(server, bytes, failures))));

        report.Line("`loadtest/lab/README.md` names the file of each server; `loadtest/lab/Connections.cs` makes the tables.");
        failures.ForEach(failure => report.Line($"**Failed**: {failure}."));
        report.Write(Path.Combine(folder, "lab.md"));
        failures.ForEach(failure => Console.Error.WriteLine($"mgba-bridge-lab: {failure}"));
        return failures.Count == 0 ? 0 : 1;
    }

    // both ends of a connection that a client opens are files of different processes, with some of their own
    private static int LargestCount() => (int)Math.Min(int.MaxValue, Descriptors.Limit) - 100;

    private int[] Fitting(Report report)
    {
        var limit = LargestCount();
        foreach (var sockets in Sockets.Append(Idle).Where(sockets => sockets >= limit))
        {
            report.Line($"Left out: {sockets} connections, which need more files than this process may open ({Descriptors.Limit}); raise the limit with `ulimit -n {sockets + 200}`.");
        }

        return [.. Sockets.Where(sockets => sockets < limit)];
    }

    private string[] Row(string name, int sockets, List<string> failures, Chart chart)
    {
        using var server = new ServerProcess(name, 1);
        var connecting = Stopwatch.StartNew();
        using var clients = new EchoClients(server.Port, sockets);
        var connected = connecting.Elapsed;
        var cpu = server.CpuSeconds;
        clients.RunBackToBack(Length);
        var used = (server.CpuSeconds - cpu) / Seconds;
        Check(clients, name, failures);
        var rate = clients.Samples.Count / Seconds;
        var latency = clients.Samples.Summary();
        chart.Add(name, sockets, rate);
        return Progress([name, $"{sockets}", $"{connected.TotalMilliseconds:0} ms", Format.Number(rate), Number(latency.P50, "0.000"), Number(latency.P99, "0.000"), Number(used, "0.00"), Number(server.PeakMb, "0"), $"{server.Threads}", server.Figures().Measured ?? "-"]);
    }

    private static string[] StartThreads(int count)
    {
        using var end = new ManualResetEventSlim();
        var before = Environment.WorkingSet;
        var clock = Stopwatch.StartNew();
        var threads = new List<Thread>();
        for (var i = 0; i < count; i++)
        {
            var thread = new Thread(() => end.Wait());
            thread.Start();
            threads.Add(thread);
        }

        var spent = clock.Elapsed;
        var memory = (Environment.WorkingSet - before) / 1048576.0;
        end.Set();
        threads.ForEach(thread => thread.Join());
        return Progress([$"{count}", Number(spent.TotalMilliseconds, "0.0"), Number(Math.Max(0, memory), "0.0")]);
    }

    private string[] IdleRow(string name, List<string> failures)
    {
        using var server = new ServerProcess(name, 1);
        using var clients = new EchoClients(server.Port, Idle);
        var other = new ComingAndGoing(server.Port);
        var isOver = false;
        var thread = new Thread(() => other.Run(() => !Volatile.Read(ref isOver)));
        var cpu = server.CpuSeconds;
        var length = 3 * Length;
        clients.RunPaced(length, IdlePeriod); // the idle ones alone
        var used = (server.CpuSeconds - cpu) / length.TotalSeconds;
        thread.Start();
        clients.RunPaced(length, IdlePeriod);
        Volatile.Write(ref isOver, true);
        thread.Join();
        Check(clients, name, failures);
        var latency = clients.Samples.Summary();
        return Progress([name, Number(used, "0.000"), Number(server.PeakMb, "0"), $"{server.Threads}", Number(latency.P50, "0.000"), Number(latency.P99, "0.000"), Format.Number(other.Done / length.TotalSeconds), $"{other.Failed}"]);
    }

    private static string[] SpreadRow(string name, int sockets)
    {
        using var server = new ServerProcess(name, Spread);
        using var clients = new EchoClients(server.Port, sockets);
        clients.RunBackToBack(TimeSpan.FromMilliseconds(200));
        var accepted = server.Figures().Accepted;
        return Progress([name, $"{sockets}", $"{accepted.Min()}", $"{accepted.Max()}", Number(accepted.Max() / accepted.Average(), "0.00")]);
    }

    private static string[] HandOverRow(HandOver.Way way, List<string> failures)
    {
        var (done, lost) = way.Run();
        if (way.LosesNone && lost > 0)
        {
            failures.Add($"handing over {way.Name} lost {lost} of {done + lost} connections");
        }

        return Progress([way.Name, Format.Number(done + lost), $"{lost}"]);
    }

    private string[] DatagramRow(string name, int bytes, List<string> failures)
    {
        using var server = new ServerProcess(name, 1);
        new DatagramClient(server.Port, bytes).Run(TimeSpan.FromSeconds(1)); // the runtime compiles
        var first = server.Figures().AllocatedBytes;
        var before = server.Figures();
        var asking = before.AllocatedBytes - first; // what asking for figures allocates
        var cpu = server.CpuSeconds;
        var client = new DatagramClient(server.Port, bytes);
        client.Run(2 * Length);
        var used = (server.CpuSeconds - cpu) / (2 * Seconds);
        var after = server.Figures();
        var echoed = after.Echoed - before.Echoed;
        var each = Math.Max(0, after.AllocatedBytes - before.AllocatedBytes - asking) / (double)Math.Max(1, echoed);
        if (echoed == 0 || (name == "udp-pinned" && each >= 0.05))
        {
            failures.Add($"{name} echoed {echoed} datagrams and allocated {Number(each, "0.0")} bytes for each");
        }

        var rate = client.Answered / (2 * Seconds);
        return Progress([name, $"{bytes}", Format.Number(rate), Number(rate * bytes / 1e6, "0.0"), Number(used, "0.00"), Number(each, "0.0"), $"{client.Lost}"]);
    }

    private static void Check(EchoClients clients, string name, List<string> failures)
    {
        if (clients.Wrong > 0 || clients.Samples.Count == 0)
        {
            failures.Add($"{name} gave {clients.Samples.Count} answers, and {clients.Wrong} wrong ones");
        }
    }

    private static string Number(double value, string format) => Format.Number(value, format);

    private static string[] Progress(string[] cells)
    {
        Console.Error.WriteLine(string.Join("  ", cells));
        return cells;
    }
}
