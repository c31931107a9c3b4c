namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>A client left an answer unread for too long.</summary>
public sealed class SlowReaderException() : Exception("an answer was not read in time");
