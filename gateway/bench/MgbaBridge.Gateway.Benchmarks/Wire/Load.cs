namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The input and the results of a load.</summary>
internal sealed record Load(WireOptions Options, WireRequests Requests, Samples Samples, Tally Tally)
{
    // Sample capacity, far above the script's rate; the report mentions rows that exceed it.
    private const int MaxPerSecond = 120_000, MaxPipelined = 400_000;

    public Dictionary<string, double> Extra { get; } = [];

    /// <summary>Seconds during which answers were counted.</summary>
    public double Seconds { get; set; }

    public static Load Of(WireOptions options) => new(
        options,
        new WireRequests(options.Dialect, options.Rom),
        new Samples((int)Math.Max(options.Count, (options.Depth > 1 ? MaxPipelined : MaxPerSecond) * Math.Max(options.Length.TotalSeconds, options.WarmUp.TotalSeconds))),
        new Tally());
}
