using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>The lockstep lease over a socket. It ends with the socket.</summary>
internal static class SocketLease
{
    /// <summary>Takes it.</summary>
    public static ValueTask TakeAsync(SocketSession session, SocketRequest request)
    {
        if (!SocketAsking.TryBody(request, BridgeJson.Default.LeaseBody, out var body, out var wrong))
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        session.NoteLease();

        // a client that leaves now is not told any more, but has the lease: it is waited for and given back
        return SocketAsking.AskAsync(
            session,
            request.Id!.Value,
            isBinary: false,
            new TakeLease(body.LimitMs, body.Token),
            (draft, answer) => draft.Body(LeaseAnswer.Of(answer.Reply, session.Holder.Name), BridgeJson.Default.LeaseAnswer),
            timeout: null,
            CancellationToken.None);
    }

    /// <summary>Gives it back.</summary>
    public static ValueTask ReleaseAsync(SocketSession session, SocketRequest request) => session.AskAsync(request, new ReleaseLease(), static (draft, answer) =>
        draft.Body(new ReleaseAnswer(answer.Reply.Frame, answer.Reply.Epoch, ReleaseLease.Parse(answer.Reply)), BridgeJson.Default.ReleaseAnswer));
}
