using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>What an answer is written from.</summary>
/// <param name="Id">What the client calls its request.</param>
/// <param name="IsBinary">Whether it wants bytes as a binary message.</param>
/// <param name="Command">The command.</param>
/// <param name="Reply">What came back.</param>
internal readonly record struct SocketReply<TCommand>(SocketId Id, bool IsBinary, TCommand Command, Reply Reply)
    where TCommand : struct, ICommand;
