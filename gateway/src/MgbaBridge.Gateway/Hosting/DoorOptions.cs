using MgbaBridge.Gateway.Interfaces.BizHawk;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Servers for clients that speak the protocols of other emulators.</summary>
public sealed record DoorOptions
{
    /// <summary>The server for Archipelago's BizHawk client.</summary>
    public BizHawkOptions BizHawk { get; set; } = new();
}
