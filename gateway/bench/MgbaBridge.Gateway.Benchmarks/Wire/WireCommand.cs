using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>`wire`: one row.</summary>
internal static class WireCommand
{
    public static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web) { Converters = { new JsonStringEnumConverter() } };

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

    // Looking at the script's memory is a load too: only where it is asked about.
    private static readonly HashSet<string> MemoryShapes = ["churn", "cap", "paced"];

    public static int Run(string[] arguments)
    {
        if (arguments is [] or ["--help"])
        {
            Console.WriteLine(WireOptions.Help);
            return 0;
        }
        var options = WireOptions.Parse(arguments);
        var shape = Shapes.GetValueOrDefault(options.Shape) ?? throw new WireException($"there is no shape {options.Shape}; there are {string.Join(", ", Shapes.Keys)}");
        var result = Measure(Load.Of(options), shape);
        File.AppendAllText(options.Out, JsonSerializer.Serialize(result, Json) + "\n");
        Console.Error.WriteLine(RowText.Of(result));
        return 0;
    }

    private static RowResult Measure(Load load, Action<Load> shape)
    {
        var options = load.Options;
        var looksAtMemory = MemoryShapes.Contains(options.Shape);
        var luaBefore = looksAtMemory ? LuaMemory.Read(options.Port, load.Questions) : null;
        using var watch = new HostWatch(options.Process, options.Log);
        var before = ProcessFigures.Of(options.Process);
        var self = Process.GetCurrentProcess().TotalProcessorTime;
        var clock = Stopwatch.StartNew();
        watch.Start();
        shape(load);
        var pace = watch.Stop();
        var seconds = clock.Elapsed.TotalSeconds;
        var after = ProcessFigures.Of(options.Process);
        var generator = (Process.GetCurrentProcess().TotalProcessorTime - self).TotalSeconds;
        var isAlive = watch.IsAlive;
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
            LuaKbAfter = looksAtMemory && isAlive ? LuaMemory.Read(options.Port, load.Questions) : null,
            HostCpu = host / seconds,
            GeneratorCpu = generator / seconds,
            OtherCpu = Math.Max(0, after.MachineCpuSeconds - before.MachineCpuSeconds - host - generator) / seconds,
            Extra = load.Extra,
        };
    }
}
