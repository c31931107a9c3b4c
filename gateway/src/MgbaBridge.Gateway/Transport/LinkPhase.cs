namespace MgbaBridge.Gateway.Transport;

/// <summary>How the pool stands with its script.</summary>
public enum LinkPhase
{
    /// <summary>No connection yet, and not given up: requests wait.</summary>
    Connecting,

    /// <summary>At least one connection is open and gives signs.</summary>
    Up,

    /// <summary>Connections are accepted, and no sign comes.</summary>
    Silent,

    /// <summary>No connection can be had: requests fail at once while the pool goes on trying.</summary>
    Down,
}
