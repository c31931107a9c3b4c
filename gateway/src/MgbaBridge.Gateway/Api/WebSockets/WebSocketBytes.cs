using System.Buffers;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Pictures and states over a socket.</summary>
internal static class WebSocketBytes
{
    /// <summary>The picture as PNG.</summary>
    public static ValueTask ScreenAsync(WebSocketSession session, WebSocketRequest request) => session.SendAsync(request, new ReadScreen(), Bytes);

    /// <summary>The state of the whole machine.</summary>
    public static ValueTask StateAsync(WebSocketSession session, WebSocketRequest request) => session.SendAsync(request, new SaveState(null), Bytes);

    /// <summary>Goes on from a state.</summary>
    public static ValueTask LoadStateAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, WebSocketJson.Default.StateBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        return (request.IsBinary ? request.Bytes : body.Bytes) is { } state
            ? session.SendAsync(request, new LoadState(new ReadOnlySequence<byte>(state), null), WebSocketOperations.Done)
            : session.RefuseAsync(request.Id, "Say the state as bytes in base64, or \"binary\": true and a binary message behind the request.");
    }

    private static void Bytes<TCommand>(WebSocketMessage draft, WebSocketReply<TCommand> answer)
        where TCommand : struct, ICommand<TCommand>
    {
        var reply = answer.Reply;
        draft.Body(new WebSocketBytesAnswer(reply.Frame, reply.Epoch, answer.IsBinary ? null : reply.Tail), WebSocketJson.Default.WebSocketBytesAnswer);
        if (answer.IsBinary)
        {
            draft.Follow(reply.Tail);
        }
    }
}
