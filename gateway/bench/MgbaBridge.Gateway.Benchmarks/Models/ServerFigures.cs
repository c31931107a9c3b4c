namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>What a server says of itself at one instant.</summary>
internal sealed record ServerFigures(IReadOnlyList<long> Accepted, long Echoed, long AllocatedBytes);
