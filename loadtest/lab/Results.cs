
namespace MgbaBridge.Lab;

/// <summary>The result of one model under one load.</summary>
internal sealed record ModelRow
{
    public required string Model { get; init; }
    public int Sockets { get; init; }

    /// <summary>Seconds to connect all sockets, one after the other.</summary>
    public double ConnectSeconds { get; init; }

    /// <summary>Echoes per second.</summary>
    public double Rate { get; init; }

    public Latency Latency { get; init; }
    public long Wrong { get; init; }

    /// <summary>Processors used by the server.</summary>
    public double Cpu { get; init; }

    public double PeakVirtualMb { get; init; }
    public double PeakResidentMb { get; init; }
    public long Threads { get; init; }

    /// <summary>Accepted connections per listener.</summary>
    public IReadOnlyList<long> Accepted { get; init; } = [];

    /// <summary>Connections opened, used once and closed per second, in addition to the persistent ones.</summary>
    public double ChurnRate { get; init; }

    public long ChurnFailed { get; init; }
}

/// <summary>The result of one way to echo datagrams.</summary>
internal sealed record DatagramRow(string Model, int Bytes, double Rate, double AllocatedEach, double Cpu, long Lost);
