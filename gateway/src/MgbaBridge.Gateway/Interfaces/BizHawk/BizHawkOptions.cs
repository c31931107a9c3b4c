using System.ComponentModel.DataAnnotations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.BizHawk;

/// <summary>The server for Archipelago's BizHawk client, at 127.0.0.1.</summary>
public sealed record BizHawkOptions
{
    /// <summary>Whether the server listens.</summary>
    public bool Enabled { get; set; }

    /// <summary>The first of the five ports that the client tries; each emulator takes the first free one.</summary>
    [Range(1, 65_531)]
    public int Port { get; set; } = 43_055;

    /// <summary>What its clients, which have no tokens, may do: only an owner writes memory.</summary>
    [RoleName]
    public string Role { get; set; } = "owner";
}
