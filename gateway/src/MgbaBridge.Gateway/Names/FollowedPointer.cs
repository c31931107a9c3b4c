using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>A pointer that was followed.</summary>
/// <param name="Location">Where it stands.</param>
/// <param name="Address">Where it points.</param>
public readonly record struct FollowedPointer(Location Location, long Address);
