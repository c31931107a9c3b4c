using System.Diagnostics;
using System.Text.Json;

namespace MgbaBridge.Lab;

/// <summary>`compare`: measures every model under every load and writes the report.</summary>
internal static class CompareCommand
{
    private const int PersistentSockets = 400, InFlight = 32;
    private static readonly int[] DatagramSizes = [64, 1400];
    private static readonly TimeSpan PersistentPeriod = TimeSpan.FromMilliseconds(67); // a bot that reads every fourth frame

    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var folder = options.Text("folder");
        var length = TimeSpan.FromSeconds(options.Integer("seconds", 1));
        var sizes = options.Integers("sockets", "2,4,8,16,32,64,128,256,512");
        var shared = options.Integers("threads", "1,2,4");
        var note = options.Text("note", "");
        options.MustBeEmpty();

        var models = ServerCommand.Streams.SelectMany(model => model == "reuseport" ? shared.Select(threads => (model, threads)) : [(model, 1)]).ToList();
        var rows = models.SelectMany(model => sizes.Select(sockets => Print(BackToBack(model.model, model.threads, sockets, length)))).ToList();
        var persistent = models.Select(model => Print(Persistent(model.model, model.threads, length * 3))).ToList();
        var datagrams = DatagramSizes.SelectMany(bytes => ServerCommand.Datagrams.Select(model => Datagrams(model, bytes, length * 2))).ToList();
        File.WriteAllText(Path.Combine(folder, "models.json"), JsonSerializer.Serialize(new { note, rows, persistent, datagrams }, Format.IndentedJson));
        Report.Write(folder, note, rows, persistent, datagrams);
        return 0;
    }

    private static string NameOf(string model, int threads) => model == "reuseport" ? $"reuseport x{threads}" : model;

    private static ModelRow Print(ModelRow row)
    {
        Console.Error.WriteLine($"{row.Model}, {row.Sockets} sockets: {Format.Number(row.Rate)}/s, p99 {Format.Number(row.Latency.P99, "0.00")} ms{(row.ChurnRate > 0 ? $", {Format.Number(row.ChurnRate)} connections opened and closed a second" : "")}");
        return row;
    }

    private static ModelRow BackToBack(string model, int threads, int sockets, TimeSpan length) => Measure(model, threads, sockets, length, (server, fleet) =>
    {
        fleet.RunBackToBack(length);
        return (0, 0);
    });

    /// <summary>Bots on persistent connections, and one client that opens a connection for each message.</summary>
    private static ModelRow Persistent(string model, int threads, TimeSpan length) => Measure(model, threads, PersistentSockets, length, (server, fleet) =>
    {
        using var stop = new CancellationTokenSource();
        var churn = new ChurnClient(server.Port);
        var thread = Listeners.Run("churn", () => churn.Run(stop.Token));
        fleet.RunPaced(length, PersistentPeriod);
        stop.Cancel();
        thread.Join();
        return (churn.Done / length.TotalSeconds, churn.Failed);
    });

    private static ModelRow Measure(string model, int threads, int sockets, TimeSpan length, Func<ServerProcess, EchoClients, (double Rate, long Failed)> load)
    {
        using var server = new ServerProcess(model, threads);
        var connecting = Stopwatch.StartNew();
        using var fleet = new EchoClients(server.Port, sockets);
        var connected = connecting.Elapsed.TotalSeconds;
        var cpu = server.CpuSeconds;
        var clock = Stopwatch.StartNew();
        var churn = load(server, fleet);
        return new ModelRow
        {
            Model = NameOf(model, threads),
            Sockets = sockets,
            ConnectSeconds = connected,
            Rate = fleet.Answered / length.TotalSeconds,
            Latency = fleet.Samples.Summary(),
            Wrong = fleet.Wrong,
            Cpu = (server.CpuSeconds - cpu) / clock.Elapsed.TotalSeconds,
            PeakVirtualMb = server.Status("VmPeak") / 1024.0,
            PeakResidentMb = server.Status("VmHWM") / 1024.0,
            Threads = server.Status("Threads"),
            Accepted = server.Figures().Accepted,
            ChurnRate = churn.Rate,
            ChurnFailed = churn.Failed,
        };
    }

    private static DatagramRow Datagrams(string model, int bytes, TimeSpan length)
    {
        using var server = new ServerProcess(model, 1);
        new DatagramClient(server.Port, InFlight, bytes).Run(TimeSpan.FromSeconds(1)); // warm up the JIT
        var first = server.Figures().AllocatedBytes;
        var before = server.Figures();
        var figuresCost = before.AllocatedBytes - first; // bytes allocated by the request for figures
        var cpu = server.CpuSeconds;
        var load = new DatagramClient(server.Port, InFlight, bytes);
        load.Run(length);
        var after = server.Figures();
        var each = Math.Max(0, after.AllocatedBytes - before.AllocatedBytes - figuresCost) / (double)Math.Max(1, after.Echoed - before.Echoed);
        var row = new DatagramRow(model, bytes, load.Answered / length.TotalSeconds, each, (server.CpuSeconds - cpu) / length.TotalSeconds, load.Lost);
        Console.Error.WriteLine($"{row.Model}, {bytes} bytes: {Format.Number(row.Rate)}/s, {Format.Number(row.AllocatedEach, "0.0")} bytes allocated each");
        return row;
    }
}
