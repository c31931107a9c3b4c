using System.ComponentModel.DataAnnotations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Doors;

/// <summary>The settings of a server that serves each emulator on a port of its own.</summary>
public abstract record DoorServerOptions
{
    /// <summary>Settings with this port, unless another one is set.</summary>
    protected DoorServerOptions(int port) => Port = port;

    /// <summary>Whether the server runs.</summary>
    public bool Enabled { get; set; }

    /// <summary>The first of the five ports that clients try; each emulator takes the first free one.</summary>
    [Range(1, 65_536 - DoorServer.Ports)]
    public int Port { get; set; }

    /// <summary>What its clients, which have no tokens, may do: only an owner writes memory.</summary>
    [RoleName]
    public string Role { get; set; } = "owner";
}
