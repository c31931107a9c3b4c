using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>Waiting for the game over a socket, and taking that back.</summary>
internal static class SocketWaits
{
    /// <summary>Waits.</summary>
    public static ValueTask WaitAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.WaitBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        return body.Command() is { } command
            ? session.AskLastingAsync(request, command, static (draft, answer) => draft.Body(WaitAnswer.Of(answer.Reply), BridgeJson.Default.WaitAnswer), body.LongestWait)
            : session.RefuseAsync(request.Id, WaitBody.Forms);
    }

    /// <summary>Takes back a request that takes frames.</summary>
    public static ValueTask CancelAsync(SocketSession session, SocketRequest request) =>
        SocketRequest.TryId(request.Body.Span, out var id)
            ? session.AnswerAsync(request.Id!.Value, new CancelAnswer(session.Lasting.Cancel(id)), StreamJson.Default.CancelAnswer)
            : session.RefuseAsync(request.Id, "Say which request to take back: {\"id\": 2, \"op\": \"cancel\", \"body\": {\"id\": 1}}.");
}
