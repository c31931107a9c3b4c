namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>What is done for a request. It reads the body before it first waits, and answers.</summary>
internal delegate ValueTask SocketOperation(SocketSession session, SocketRequest request);
