using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>One model under one load.</summary>
internal sealed record ModelRow
{
    public required string Model { get; init; }
    public int Sockets { get; init; }

    /// <summary>Seconds until all were connected, one after the other.</summary>
    public double ConnectSeconds { get; init; }

    /// <summary>Answers a second.</summary>
    public double Rate { get; init; }

    public Latency Latency { get; init; }
    public long Wrong { get; init; }

    /// <summary>Processors that the server used.</summary>
    public double Cpu { get; init; }

    public double PeakVirtualMb { get; init; }
    public double PeakResidentMb { get; init; }
    public long Threads { get; init; }

    /// <summary>Connections accepted, by listener.</summary>
    public IReadOnlyList<long> Accepted { get; init; } = [];

    /// <summary>Connections opened, used once and closed a second, beside the lasting ones.</summary>
    public double ChurnRate { get; init; }

    public long ChurnFailed { get; init; }
}
