using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>A name that the game's makers gave to a place.</summary>
/// <param name="Name">The name.</param>
/// <param name="Location">The place.</param>
/// <param name="Size">How many bytes it has; 0 where that is not known.</param>
public readonly record struct Symbol(string Name, Location Location, long Size);
