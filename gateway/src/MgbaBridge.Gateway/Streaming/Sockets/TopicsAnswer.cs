namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>What a client is told of now.</summary>
/// <param name="Topics">The topics, written in full.</param>
/// <param name="Forgotten">How many events since the one that it named are not known any more; absent when all are.</param>
public readonly record struct TopicsAnswer(IReadOnlyList<string> Topics, long? Forgotten);
