using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>What one row asks for, from the command line.</summary>
internal sealed record WireOptions
{
    public const string Help = """
        mgba-bridge-bench wire --shape SHAPE --row NAME --port PORT --pid PID --log FILE --rom FILE --out FILE [...]

        Puts one kind of load on a script's own port for a while and adds a line of JSON with what came of it to --out.

          --shape SHAPE      idle     nothing: the host's own pace
                             serial   one client, back to back
                             bot      one client, random pauses of 0 to 30 ms
                             fleet    --clients back to back, each with --depth requests open
                             paced    --clients connections, each asks once a second
                             churn    connect, ask, close, --count times, beside --clients lasting ones
                             cap      --clients connections, then 50 beyond them
                             range    256 KB of memory, with the bot's pauses
                             state    a save state, with the bot's pauses
          --row NAME         what to call it;  --label NAME  whose figures these are (ours, baseline)
          --dialect NAME     v2 (default) or legacy
          --port PORT        where the script listens;  --pid PID  the host's process;  --log FILE  where its stderr goes
          --rom FILE         the game that runs there: answers are compared with it
          --seconds N        how long (10);  --warm-up N  seconds before, not counted (1)
          --clients N (1)    --depth N (1)    --count N (1000)
          --connect-timeout N   seconds until all connections of a fleet must be there (20)
        """;

    public required string Shape { get; init; }
    public required string Row { get; init; }
    public string Label { get; init; } = "ours";
    public Dialect Dialect { get; init; }
    public required int Port { get; init; }
    public required int Process { get; init; }
    public required string Log { get; init; }
    public required string Rom { get; init; }
    public required string Out { get; init; }
    public TimeSpan Length { get; init; }
    public TimeSpan WarmUp { get; init; }
    public int Clients { get; init; }
    public int Depth { get; init; }
    public int Count { get; init; }
    public TimeSpan ConnectTimeout { get; init; }

    public static WireOptions Parse(string[] arguments)
    {
        if (arguments.Length % 2 != 0 || arguments.Where((_, i) => i % 2 == 0).Any(name => !name.StartsWith("--", StringComparison.Ordinal)))
        {
            throw new MeasurementException("options come in pairs, --name value; `wire --help` lists them");
        }
        var given = arguments.Chunk(2).ToDictionary(pair => pair[0][2..], pair => pair[1]);
        var options = new WireOptions
        {
            Shape = Text("shape", null),
            Row = Text("row", null),
            Label = Text("label", "ours"),
            Dialect = Text("dialect", "v2") == "legacy" ? Dialect.Legacy : Dialect.Version2,
            Port = (int)Number("port", null),
            Process = (int)Number("pid", null),
            Log = Text("log", null),
            Rom = Text("rom", null),
            Out = Text("out", null),
            Length = TimeSpan.FromSeconds(Number("seconds", 10)),
            WarmUp = TimeSpan.FromSeconds(Number("warm-up", 1)),
            Clients = (int)Number("clients", 1),
            Depth = (int)Number("depth", 1),
            Count = (int)Number("count", 1000),
            ConnectTimeout = TimeSpan.FromSeconds(Number("connect-timeout", 20)),
        };
        return given.Count == 0 ? options : throw new MeasurementException($"there is no option --{given.Keys.First()}; `wire --help` lists them");

        string Text(string name, string? defaultValue) =>
            given.Remove(name, out var text) ? text : defaultValue ?? throw new MeasurementException($"--{name} is missing; `wire --help` says what it is");

        double Number(string name, double? defaultValue) =>
            double.TryParse(Text(name, defaultValue?.ToString(CultureInfo.InvariantCulture)), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number >= 0
                ? number
                : throw new MeasurementException($"--{name} must be a number");
    }
}
