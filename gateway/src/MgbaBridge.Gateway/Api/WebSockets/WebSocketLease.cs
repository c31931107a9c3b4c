using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Lease;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>The lockstep lease over a socket. It ends with the socket.</summary>
internal static class WebSocketLease
{
    /// <summary>Takes it.</summary>
    public static ValueTask TakeAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (!WebSocketCommands.TryBody(request, BridgeJson.Default.LeaseBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        session.RecordLease();

        // a client that leaves now is not told any more, but has the lease: it is waited for and given back
        return WebSocketCommands.SendAsync(
            session,
            request.Id!.Value,
            isBinary: false,
            new TakeLease(body.LimitMs, body.Token),
            (draft, answer) => draft.Body(LeaseAnswer.Of(answer.Reply, session.Holder.Name), BridgeJson.Default.LeaseAnswer),
            timeout: null,
            CancellationToken.None);
    }

    /// <summary>Gives it back.</summary>
    public static ValueTask ReleaseAsync(WebSocketSession session, WebSocketRequest request) => session.SendAsync(request, new ReleaseLease(), static (draft, answer) =>
        draft.Body(new ReleaseAnswer(answer.Reply.Frame, answer.Reply.Epoch, ReleaseLease.Parse(answer.Reply)), BridgeJson.Default.ReleaseAnswer));
}
