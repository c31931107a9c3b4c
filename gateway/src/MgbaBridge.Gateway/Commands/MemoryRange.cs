namespace MgbaBridge.Gateway.Commands;

/// <summary>A range of memory and what it is.</summary>
/// <param name="Location">Where it starts.</param>
/// <param name="Length">How many bytes.</param>
/// <param name="Type">The number that it is, or null for bytes.</param>
public readonly record struct MemoryRange(Location Location, long Length, NumberType? Type);
