namespace MgbaBridge.Gateway.Commands;

/// <summary>A part of the game's memory with a name.</summary>
/// <param name="Id">What it is called in a location, such as <c>wram</c>.</param>
/// <param name="Name">What it is called by people.</param>
/// <param name="Base">The address of its first byte on the bus.</param>
/// <param name="Bound">The address behind its last.</param>
/// <param name="Size">How many bytes it has.</param>
public sealed record MemoryDomain(string Id, string Name, long Base, long Bound, long Size);
