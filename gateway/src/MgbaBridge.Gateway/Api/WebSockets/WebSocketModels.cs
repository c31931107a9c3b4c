namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Whether a request was taken back.</summary>
/// <param name="Cancelled">Whether it was: else there was none with that id that takes frames, or it was over.</param>
public readonly record struct CancelAnswer(bool Cancelled);

/// <summary>How often to be shown the picture.</summary>
public sealed record RateBody
{
    /// <summary>Pictures a second at most, 0.1 to 60; 10 unless given.</summary>
    public double? Fps { get; init; }
}

/// <summary>Topics to subscribe to, or to unsubscribe from.</summary>
public sealed record TopicsBody
{
    /// <summary>The topics, as in <c>GET /v2/events</c>.</summary>
    public required IReadOnlyList<string> Topics { get; init; }

    /// <summary>The <c>event id</c> of the last event received; events after it follow.</summary>
    public string? After { get; init; }
}

/// <summary>The current subscriptions of a client.</summary>
/// <param name="Topics">The topics, written in full.</param>
/// <param name="Forgotten">How many events since the one that it named are not known any more; absent when all are.</param>
public readonly record struct TopicsAnswer(IReadOnlyList<string> Topics, long? Forgotten);
