namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Topics to be told of, or not any more.</summary>
public sealed record TopicsBody
{
    /// <summary>The topics, as in <c>GET /v2/events</c>.</summary>
    public required IReadOnlyList<string> Topics { get; init; }

    /// <summary>The <c>event id</c> of the last event that was seen: goes on after it.</summary>
    public string? After { get; init; }
}
