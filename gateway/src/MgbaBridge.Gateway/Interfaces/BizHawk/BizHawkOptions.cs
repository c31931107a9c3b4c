using MgbaBridge.Gateway.Interfaces.Doors;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>The server for Archipelago's BizHawk client, at 127.0.0.1.</summary>
public sealed record BizHawkOptions() : DoorServerOptions(43_055);
