using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Waits;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Waiting for the game over a socket, and taking that back.</summary>
internal static class WebSocketWaits
{
    /// <summary>Waits.</summary>
    public static ValueTask WaitAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BridgeJson.Default.WaitBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        return body.Command() is { } command
            ? session.SendLongRunningAsync(request, command, static (draft, answer) => draft.Body(WaitAnswer.Of(answer.Reply), BridgeJson.Default.WaitAnswer), body.MaxWait)
            : session.RefuseAsync(request.Id, WaitBody.FormatHint);
    }

    /// <summary>Takes back a request that takes frames.</summary>
    public static ValueTask CancelAsync(WebSocketSession session, WebSocketRequest request) =>
        WebSocketRequest.TryId(request.Body.Span, out var id)
            ? session.AnswerAsync(request.Id!.Value, new CancelAnswer(session.Lasting.Cancel(id)), WebSocketJson.Default.CancelAnswer)
            : session.RefuseAsync(request.Id, "Say which request to take back: {\"id\": 2, \"op\": \"cancel\", \"body\": {\"id\": 1}}.");
}
