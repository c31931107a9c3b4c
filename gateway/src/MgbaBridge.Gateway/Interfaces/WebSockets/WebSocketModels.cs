namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>Whether a request was taken back.</summary>
/// <param name="Cancelled">Whether it was: else there was none with that id that takes frames, or it was over.</param>
public readonly record struct CancelAnswer(bool Cancelled);

/// <summary>How often the client is shown the picture.</summary>
/// <param name="Fps">Pictures a second at most; 0 when it is not shown any more.</param>
public readonly record struct RateAnswer(double Fps);

/// <summary>The current subscriptions of a client.</summary>
/// <param name="Topics">The topics, written in full.</param>
/// <param name="Forgotten">How many events since the one that it named are not known any more; absent when all are.</param>
public readonly record struct TopicsAnswer(IReadOnlyList<string> Topics, long? Forgotten);
