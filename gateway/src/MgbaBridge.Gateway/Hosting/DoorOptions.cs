using MgbaBridge.Gateway.Interfaces.BizHawk;
using MgbaBridge.Gateway.Interfaces.RetroArch;
using MgbaBridge.Gateway.Interfaces.Uat;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Servers for clients that speak the protocols of other emulators.</summary>
public sealed record DoorOptions
{
    /// <summary>The server for Archipelago's BizHawk client.</summary>
    public BizHawkOptions BizHawk { get; set; } = new();

    /// <summary>The server for clients of RetroArch's Network Control Interface.</summary>
    public RetroArchOptions RetroArch { get; set; } = new();

    /// <summary>The server for trackers that use Universal Auto-Tracking.</summary>
    public UatOptions Uat { get; set; } = new();
}
