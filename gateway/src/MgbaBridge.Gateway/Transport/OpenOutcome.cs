using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>An attempt to open a connection: the connection, or why not.</summary>
internal readonly record struct OpenOutcome(Connection? Connection, HelloReply? Hello, FailureReport? Failure)
{
    public static OpenOutcome Failed(FailureReport failure) => new(null, null, failure);
}
