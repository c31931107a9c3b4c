using System.Diagnostics;
using System.Globalization;
using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>`wire`: measures one row.</summary>
internal static class WireCommand
{
    private static readonly Dictionary<string, Action<Load>> Shapes = new()
    {
        ["idle"] = static load => Thread.Sleep(load.Options.Length),
        ["serial"] = OneClientLoad.Serial,
        ["bot"] = OneClientLoad.Bot,
        ["fleet"] = FleetLoad.BackToBack,
        ["paced"] = FleetLoad.Paced,
        ["churn"] = ChurnLoad.Run,
        ["cap"] = CapLoad.Run,
        ["range"] = BulkLoad.Range,
        ["state"] = BulkLoad.State,
    };

    // Reading the script's memory is a load too: only for the shapes that need it.
    private static readonly HashSet<string> MemoryShapes = ["churn", "cap", "paced"];

    public static int Run(string[] arguments)
    {
        if (arguments is [] or ["--help"])
        {
            Console.WriteLine(WireOptions.Help);
            return 0;
        }
        var options = WireOptions.Parse(arguments);
        var shape = Shapes.GetValueOrDefault(options.Shape) ?? throw new MeasurementException($"unknown shape {options.Shape}; the shapes are {string.Join(", ", Shapes.Keys)}");
        var result = Measure(Load.Of(options), shape);
        File.AppendAllText(options.Out, JsonSerializer.Serialize(result, Format.Json) + "\n");
        Console.Error.WriteLine(TextOf(result));
        return 0;
    }

    private static RowResult Measure(Load load, Action<Load> shape)
    {
        var options = load.Options;
        var readsMemory = MemoryShapes.Contains(options.Shape);
        var luaBefore = readsMemory ? LuaMemory.Read(options.Port, load.Requests) : null;
        using var watch = options.Process > 0 ? new HostWatch(options.Process, options.Log) : null;
        var before = ProcessUsage.Of(options.Process);
        var self = Process.GetCurrentProcess().TotalProcessorTime;
        var clock = Stopwatch.StartNew();
        watch?.Start();
        shape(load);
        var pace = watch?.Stop() ?? HostPace.Of([]);
        var seconds = clock.Elapsed.TotalSeconds;
        var after = ProcessUsage.Of(options.Process);
        var generator = (Process.GetCurrentProcess().TotalProcessorTime - self).TotalSeconds;
        var isAlive = watch?.IsAlive ?? true;
        var host = isAlive ? after.CpuSeconds - before.CpuSeconds : 0;
        return new RowResult
        {
            Label = options.Label,
            Row = options.Row,
            Shape = options.Shape,
            Dialect = options.Dialect,
            Clients = options.Clients,
            Depth = options.Depth,
            Seconds = load.Seconds,
            Latency = load.Samples.Summary(),
            Rate = load.Seconds > 0 ? load.Tally.Answered / load.Seconds : 0,
            Tally = load.Tally,
            MissedSamples = load.Samples.Missed,
            Pace = pace,
            HostAlive = isAlive,
            Before = before,
            After = after,
            LuaKbBefore = luaBefore,
            LuaKbAfter = readsMemory && isAlive ? LuaMemory.Read(options.Port, load.Requests) : null,
            HostCpu = host / seconds,
            GeneratorCpu = generator / seconds,
            OtherCpu = Math.Max(0, after.MachineCpuSeconds - before.MachineCpuSeconds - host - generator) / seconds,
            Extra = load.Extra,
        };
    }

    /// <summary>One line of progress.</summary>
    private static string TextOf(RowResult row)
    {
        var latency = row.Latency;
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{row.Label,-8} {row.Row,-20} {row.Rate,9:N0}/s  p50 {latency.P50,8:F3}  p99 {latency.P99,8:F3}  p99.9 {latency.P999,8:F3}  max {latency.Max,8:F2} ms  bad {row.Tally.Bad}  fps {row.Pace.Fps:F2}  cpu {row.HostCpu:F2}+{row.GeneratorCpu:F2}+{row.OtherCpu:F2}");
        var extra = string.Join(' ', row.Extra.Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key}={pair.Value:G4}")));
        return text + (row.HostAlive ? "" : "  EMULATOR DEAD") + (extra.Length > 0 ? "\n           " + extra : "");
    }
}
