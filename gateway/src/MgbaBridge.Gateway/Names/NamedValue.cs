using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>Where the value of a property was found, and its bytes.</summary>
/// <param name="Property">The property.</param>
/// <param name="Location">Where, or null where a pointer of its chain is 0.</param>
/// <param name="Bytes">Its bytes; empty where a pointer is 0.</param>
/// <param name="Pointers">The pointers that led there.</param>
public sealed record NamedValue(GameProperty Property, Location? Location, ReadOnlyMemory<byte> Bytes, IReadOnlyList<FollowedPointer> Pointers);
