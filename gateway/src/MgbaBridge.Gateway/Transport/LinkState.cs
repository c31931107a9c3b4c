using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>How the pool stands with its script, and why.</summary>
/// <param name="Phase">How it stands.</param>
/// <param name="Failure">Why requests fail at once, or null when they do not.</param>
/// <param name="Hello">What the script last said about itself, or null.</param>
public sealed record LinkState(LinkPhase Phase, FailureReport? Failure, HelloReply? Hello);
