using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>How the pool stands with its script, and why.</summary>
/// <param name="Phase">How it stands.</param>
/// <param name="Failure">Why requests fail at once, or null when they do not.</param>
/// <param name="Hello">What the script last said about itself, or null.</param>
public sealed record LinkState(LinkPhase Phase, FailureReport? Failure, HelloReply? Hello);

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
