namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>What a shape of load works with, and where it leaves what it found.</summary>
internal sealed record Load(WireOptions Options, Questions Questions, Samples Samples, Tally Tally)
{
    // Far more than the script answers; a row beyond it says so.
    private const int MostPerSecond = 120_000, MostPipelined = 400_000;

    public Dictionary<string, double> Extra { get; } = [];

    /// <summary>The seconds that answers were counted in.</summary>
    public double Seconds { get; set; }

    public static Load Of(WireOptions options) => new(
        options,
        new Questions(options.Dialect, options.Rom),
        new Samples((int)Math.Max(options.Count, (options.Depth > 1 ? MostPipelined : MostPerSecond) * Math.Max(options.Length.TotalSeconds, options.WarmUp.TotalSeconds))),
        new Tally());
}
