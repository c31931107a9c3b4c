namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One line of the results file.</summary>
internal sealed record RowResult
{
    public required string Label { get; init; }
    public required string Row { get; init; }
    public required string Shape { get; init; }
    public Dialect Dialect { get; init; }
    public int Clients { get; init; }
    public int Depth { get; init; }

    /// <summary>Seconds that were counted.</summary>
    public double Seconds { get; init; }

    public Latency Latency { get; init; }

    /// <summary>Answers a second.</summary>
    public double Rate { get; init; }

    public required Tally Tally { get; init; }

    /// <summary>Waiting times that found no room: the percentiles are wrong unless it is 0.</summary>
    public long MissedSamples { get; init; }

    public required HostPace Pace { get; init; }
    public bool HostAlive { get; init; }
    public required ProcessFigures Before { get; init; }
    public required ProcessFigures After { get; init; }
    public double? LuaKbBefore { get; init; }
    public double? LuaKbAfter { get; init; }
    public double HostCpu { get; init; }
    public double GeneratorCpu { get; init; }

    /// <summary>Processors that neither the host nor the generator used: other programs on the machine.</summary>
    public double OtherCpu { get; init; }

    /// <summary>What only this shape knows.</summary>
    public Dictionary<string, double> Extra { get; init; } = [];
}
