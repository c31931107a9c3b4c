using System.Buffers;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Pictures and states over a socket.</summary>
internal static class SocketBytes
{
    /// <summary>The picture as PNG.</summary>
    public static ValueTask ScreenAsync(SocketSession session, SocketRequest request) => session.AskAsync(request, new ReadScreen(), Bytes);

    /// <summary>The state of the whole machine.</summary>
    public static ValueTask StateAsync(SocketSession session, SocketRequest request) => session.AskAsync(request, new SaveState(null), Bytes);

    /// <summary>Goes on from a state.</summary>
    public static ValueTask LoadStateAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, StreamJson.Default.StateBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        return (request.IsBinary ? request.Bytes : body.Bytes) is { } state
            ? session.AskAsync(request, new LoadState(new ReadOnlySequence<byte>(state), null), SocketOperations.Done)
            : session.RefuseAsync(request.Id, "Say the state as bytes in base64, or \"binary\": true and a binary message behind the request.");
    }

    private static void Bytes<TCommand>(SocketDraft draft, SocketReply<TCommand> answer)
        where TCommand : struct, ICommand
    {
        var reply = answer.Reply;
        draft.Body(new SocketBytesAnswer(reply.Frame, reply.Epoch, answer.IsBinary ? null : reply.Tail), StreamJson.Default.SocketBytesAnswer);
        if (answer.IsBinary)
        {
            draft.Follow(reply.Tail);
        }
    }
}
