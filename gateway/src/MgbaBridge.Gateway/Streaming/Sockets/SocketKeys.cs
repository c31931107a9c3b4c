using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Keys over a socket.</summary>
internal static class SocketKeys
{
    /// <summary>Levels.</summary>
    public static ValueTask ChangeAsync(SocketSession session, SocketRequest request, KeyChange change) =>
        SocketAsking.TryBody(request, BridgeJson.Default.KeysBody, out var body, out var wrong)
            ? session.AskAsync(request, new ChangeKeys(change, body.Keys), SocketOperations.Done)
            : session.RefuseAsync(request.Id, wrong);

    /// <summary>A press.</summary>
    public static ValueTask TapAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.TapBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        if (body.Keys.Count == 0)
        {
            return session.RefuseAsync(request.Id, TapBody.Forms);
        }

        var command = new TapKeys(body.Keys, body.Frames, body.Gap, body.Wait);
        return body.Wait ? session.AskLastingAsync(request, command, Pressed, PressAnswer.LongestWait) : session.AskAsync(request, command, Pressed);
    }

    /// <summary>Presses one after the other.</summary>
    public static ValueTask SequenceAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.SequenceBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        if (body.Text() is not { } steps)
        {
            return session.RefuseAsync(request.Id, SequenceBody.Forms);
        }

        var command = new PlaySequence(steps, body.Gap, body.Wait);
        return body.Wait ? session.AskLastingAsync(request, command, Pressed, PressAnswer.LongestWait) : session.AskAsync(request, command, Pressed);
    }

    private static void Pressed<TCommand>(SocketDraft draft, SocketReply<TCommand> answer)
        where TCommand : struct, ICommand =>
        draft.Body(PressAnswer.Of(answer.Reply, answer.Command.Row), BridgeJson.Default.PressAnswer);
}
