using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The options of `wire`.</summary>
internal sealed record WireOptions
{
    public const string Help = """
        mgba-bridge-bench wire --shape SHAPE --row NAME --port PORT --rom FILE --out FILE [OPTION...]

        Applies one load to a script's own port and appends the result to --out as a line of JSON.

          --shape SHAPE      idle     no load: the frame rate of the emulator
                             serial   one client, back to back
                             bot      one client with random pauses of 0 to 30 ms
                             fleet    --clients clients back to back, each with --depth outstanding requests
                             paced    --clients persistent clients, one request a second each
                             churn    connect, request, close, --count times, with --clients persistent clients
                             cap      --clients connections, then 50 more than the script accepts
                             range    256 KB of memory, with the pauses of a bot
                             state    a save state, with the pauses of a bot
          --row NAME         name of the row;  --label NAME  name of the script (default ours; or baseline)
          --dialect NAME     v2 (default) or legacy
          --port PORT        port of the script
          --pid PID          process of mgba-headless, for the frame rate and its resources, with --log FILE  its stderr
          --rom FILE         its ROM, with which answers are compared
          --seconds N        length (default 10);  --warm-up N  seconds before it that are not counted (default 1)
          --clients N        default 1;  --depth N  default 1;  --count N  default 1000
          --connect-timeout N   seconds to connect all clients (default 20)
        """;

    public required string Shape { get; init; }
    public required string Row { get; init; }
    public string Label { get; init; } = "ours";
    public Dialect Dialect { get; init; }
    public required int Port { get; init; }

    /// <summary>0 without one: only the load is measured.</summary>
    public int Process { get; init; }

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
            throw new MeasurementException("options must be pairs: --name value; see `wire --help`");
        }
        var given = arguments.Chunk(2).ToDictionary(pair => pair[0][2..], pair => pair[1]);
        var options = new WireOptions
        {
            Shape = Text("shape", null),
            Row = Text("row", null),
            Label = Text("label", "ours"),
            Dialect = Text("dialect", "v2") == "legacy" ? Dialect.Legacy : Dialect.Version2,
            Port = (int)Number("port", null),
            Process = (int)Number("pid", 0),
            Log = Text("log", ""),
            Rom = Text("rom", null),
            Out = Text("out", null),
            Length = TimeSpan.FromSeconds(Number("seconds", 10)),
            WarmUp = TimeSpan.FromSeconds(Number("warm-up", 1)),
            Clients = (int)Number("clients", 1),
            Depth = (int)Number("depth", 1),
            Count = (int)Number("count", 1000),
            ConnectTimeout = TimeSpan.FromSeconds(Number("connect-timeout", 20)),
        };
        return given.Count == 0 ? options : throw new MeasurementException($"unknown option --{given.Keys.First()}; see `wire --help`");

        string Text(string name, string? defaultValue) =>
            given.Remove(name, out var text) ? text : defaultValue ?? throw new MeasurementException($"--{name} is required; see `wire --help`");

        double Number(string name, double? defaultValue) =>
            double.TryParse(Text(name, defaultValue?.ToString(CultureInfo.InvariantCulture)), NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number >= 0
                ? number
                : throw new MeasurementException($"--{name} must be a number, 0 or higher");
    }
}
