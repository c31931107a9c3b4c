namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A part of the game's memory with a name.</summary>
/// <param name="Id">What it is called in a location, such as `wram` in `wram:0x10`.</param>
/// <param name="Name">What people call it.</param>
/// <param name="Base">The address of its first byte on the bus.</param>
/// <param name="Size">How many bytes it has.</param>
public readonly record struct DomainAnswer(string Id, string Name, string Base, long Size);
