using System.Diagnostics;
using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>`models`: every model under every load, and the report.</summary>
internal static class ModelsCommand
{
    private const int LastingSockets = 400, UnderWay = 32;
    private static readonly int[] DatagramSizes = [64, 1400];
    private static readonly TimeSpan LastingPeriod = TimeSpan.FromMilliseconds(67); // a bot's, every fourth frame
    private static readonly JsonSerializerOptions Indented = new(WireCommand.Json) { WriteIndented = true };

    public static int Run(string[] arguments)
    {
        var options = new Arguments(arguments);
        var folder = options.Text("folder");
        var length = TimeSpan.FromSeconds(options.Whole("seconds", 1));
        var sizes = options.Wholes("sockets", "2,4,8,16,32,64,128,256,512");
        var shared = options.Wholes("threads", "1,2,4");
        var note = options.Text("note", "");
        options.MustBeEmpty();

        var models = ServerCommand.Streams.SelectMany(model => model == "reuseport" ? shared.Select(threads => (model, threads)) : [(model, 1)]).ToList();
        var rows = models.SelectMany(model => sizes.Select(sockets => Told(BackToBack(model.model, model.threads, sockets, length)))).ToList();
        var lasting = models.Select(model => Told(Lasting(model.model, model.threads, length * 3))).ToList();
        var datagrams = DatagramSizes.SelectMany(bytes => ServerCommand.Datagrams.Select(model => Datagrams(model, bytes, length * 2))).ToList();
        File.WriteAllText(Path.Combine(folder, "models.json"), JsonSerializer.Serialize(new { note, rows, lasting, datagrams }, Indented));
        ModelsReport.Write(folder, note, rows, lasting, datagrams);
        return 0;
    }

    private static string NameOf(string model, int threads) => model == "reuseport" ? $"reuseport x{threads}" : model;

    private static ModelRow Told(ModelRow row)
    {
        Console.Error.WriteLine($"{row.Model}, {row.Sockets} sockets: {Rows.Number(row.Rate)}/s, p99 {Rows.Number(row.Latency.P99, "0.00")} ms{(row.ChurnRate > 0 ? $", {Rows.Number(row.ChurnRate)} connections a second beside" : "")}");
        return row;
    }

    private static ModelRow BackToBack(string model, int threads, int sockets, TimeSpan length) => Measure(model, threads, sockets, length, (server, fleet) =>
    {
        fleet.RunBackToBack(length);
        return (0, 0);
    });

    /// <summary>As many bots as a script will take, and beside them clients that come, ask and go.</summary>
    private static ModelRow Lasting(string model, int threads, TimeSpan length) => Measure(model, threads, LastingSockets, length, (server, fleet) =>
    {
        using var stop = new CancellationTokenSource();
        var churn = new Churn(server.Port);
        var thread = Listening.Run("churn", () => churn.Run(stop.Token));
        fleet.RunPaced(length, LastingPeriod);
        stop.Cancel();
        thread.Join();
        return (churn.Done / length.TotalSeconds, churn.Failed);
    });

    private static ModelRow Measure(string model, int threads, int sockets, TimeSpan length, Func<ServerProcess, EchoFleet, (double Rate, long Failed)> load)
    {
        using var server = new ServerProcess(model, threads);
        var connecting = Stopwatch.StartNew();
        using var fleet = new EchoFleet(server.Port, sockets);
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
        new DatagramLoad(server.Port, UnderWay, bytes).Run(TimeSpan.FromSeconds(1)); // compiled by then
        var asked = server.Figures().AllocatedBytes;
        var before = server.Figures();
        var asking = before.AllocatedBytes - asked; // what it costs to ask
        var cpu = server.CpuSeconds;
        var load = new DatagramLoad(server.Port, UnderWay, bytes);
        load.Run(length);
        var after = server.Figures();
        var each = Math.Max(0, after.AllocatedBytes - before.AllocatedBytes - asking) / (double)Math.Max(1, after.Echoed - before.Echoed);
        var row = new DatagramRow(model, bytes, load.Answered / length.TotalSeconds, each, (server.CpuSeconds - cpu) / length.TotalSeconds, load.Lost);
        Console.Error.WriteLine($"{row.Model}, {bytes} bytes: {Rows.Number(row.Rate)}/s, {Rows.Number(row.AllocatedEach, "0.0")} bytes allocated each");
        return row;
    }
}
