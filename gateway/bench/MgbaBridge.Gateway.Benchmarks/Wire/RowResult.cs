namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One line of the results file: one load on one script.</summary>
internal sealed record RowResult
{
    public required string Label { get; init; }
    public required string Row { get; init; }
    public required string Shape { get; init; }
    public Dialect Dialect { get; init; }
    public int Clients { get; init; }
    public int Depth { get; init; }

    /// <summary>Seconds during which answers were counted.</summary>
    public double Seconds { get; init; }

    public Latency Latency { get; init; }

    /// <summary>Answers per second.</summary>
    public double Rate { get; init; }

    public required Tally Tally { get; init; }

    /// <summary>Samples beyond the capacity. The percentiles are wrong unless this is 0.</summary>
    public long MissedSamples { get; init; }

    public required HostPace Pace { get; init; }
    public bool HostAlive { get; init; }
    public required ProcessUsage Before { get; init; }
    public required ProcessUsage After { get; init; }
    public double? LuaKbBefore { get; init; }
    public double? LuaKbAfter { get; init; }
    public double HostCpu { get; init; }
    public double GeneratorCpu { get; init; }

    /// <summary>Processors used by other programs on the machine.</summary>
    public double OtherCpu { get; init; }

    /// <summary>Results that only this load has.</summary>
    public Dictionary<string, double> Extra { get; init; } = [];
}
