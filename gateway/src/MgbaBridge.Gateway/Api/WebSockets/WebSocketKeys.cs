using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Keys over a socket.</summary>
internal static class WebSocketKeys
{
    /// <summary>Levels.</summary>
    public static ValueTask ChangeAsync(WebSocketSession session, WebSocketRequest request, KeyChange change) =>
        WebSocketCommands.TryBody(request, BridgeJson.Default.KeysBody, out var body, out var wrong)
            ? session.SendAsync(request, new ChangeKeys(change, body.Keys), WebSocketOperations.Done)
            : session.RefuseAsync(request.Id, wrong);

    /// <summary>A press.</summary>
    public static ValueTask TapAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BridgeJson.Default.TapBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        if (body.Keys.Count == 0)
        {
            return session.RefuseAsync(request.Id, TapBody.FormatHint);
        }

        var command = new TapKeys(body.Keys, body.Frames, body.Gap, body.Wait);
        return body.Wait ? session.SendLongRunningAsync(request, command, Pressed, PressAnswer.MaxWait) : session.SendAsync(request, command, Pressed);
    }

    /// <summary>Presses one after the other.</summary>
    public static ValueTask SequenceAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BridgeJson.Default.SequenceBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        if (body.Text() is not { } steps)
        {
            return session.RefuseAsync(request.Id, SequenceBody.FormatHint);
        }

        var command = new PlaySequence(steps, body.Gap, body.Wait);
        return body.Wait ? session.SendLongRunningAsync(request, command, Pressed, PressAnswer.MaxWait) : session.SendAsync(request, command, Pressed);
    }

    private static void Pressed<TCommand>(WebSocketMessage draft, WebSocketReply<TCommand> answer)
        where TCommand : struct, ICommand<TCommand> =>
        draft.Body(PressAnswer.Of(answer.Reply, answer.Command.Descriptor), BridgeJson.Default.PressAnswer);
}
