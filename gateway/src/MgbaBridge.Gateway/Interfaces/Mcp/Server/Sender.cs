using System.Diagnostics;
using MgbaBridge.Gateway.Security;
using ModelContextProtocol;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>Who sent a message, and what its token allows.</summary>
/// <param name="Session">What the agent holds.</param>
/// <param name="Caller">What it may do, and see.</param>
/// <param name="Toolsets">The tools that it has asked for.</param>
/// <param name="Span">The span of its HTTP request: a session answers messages outside of it.</param>
/// <param name="Revoked">Cancelled when its token is withdrawn.</param>
internal sealed record Sender(AgentSession Session, Caller Caller, Toolsets Toolsets, ActivityContext Span, CancellationToken Revoked)
{
    /// <summary>Where a message carries it.</summary>
    public const string Item = "sender";

    /// <summary>The error of a resource that does not exist: protocol 2026-07-28, which has no sessions, gives it no code of its own.</summary>
    public McpErrorCode MissingResource => Session.IsConnected ? McpErrorCode.ResourceNotFound : McpErrorCode.InvalidParams;

    /// <summary>The sender of a message.</summary>
    public static Sender Of(MessageContext message) => (Sender)message.Items[Item]!;
}
