using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The operations that only a session has.</summary>
internal static class WebSocketOperations
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, WebSocketHandler> OfTheSession { get; } = new Dictionary<string, WebSocketHandler>
    {
        ["ping"] = PingAsync,
        ["cancel"] = CancelAsync,
        ["screen.stream"] = static (session, request) => session.Pictures.StartAsync(request),
        ["screen.stop"] = static (session, request) => session.Pictures.StopAsync(request),
        ["subscribe"] = static (session, request) => session.Events.SubscribeAsync(request),
        ["unsubscribe"] = static (session, request) => session.Events.UnsubscribeAsync(request),
    };

    private static readonly Parameters<double?> Delay = Parameters.Of(Parameter.Number("delayMs", 0, 600_000, "How long the last ping took; owners see it in the list of guests.").Optional());

    // reads the request before it waits, as its bytes are used again
    private static ValueTask PingAsync(WebSocketSession session, WebSocketRequest request)
    {
        if (WebSocketCommands.Read(request, Delay, out var delay) is { } wrong)
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        if (session.Guest is { } guest && delay is not null)
        {
            guest.DelayMs = delay;
        }

        return PingAsync(session, request.Id!.Value);
    }

    private static async ValueTask PingAsync(WebSocketSession session, WebSocketId id)
    {
        using var reply = await session.Emulator.SendAsync(new Ping(), session.Options, session.Over);
        await (reply.Failure is { } failure ? session.RefuseAsync(id, Failure.Of(failure)) : session.AnswerAsync(id, new DoneAnswer(reply.Frame, reply.Epoch), CommonJson.Default.DoneAnswer, reply.Size));
    }

    private static ValueTask CancelAsync(WebSocketSession session, WebSocketRequest request) => WebSocketRequest.TryId(request.Body.Span, out var id)
        ? session.AnswerAsync(request.Id!.Value, new CancelAnswer(session.LongRunning.Cancel(id)), WebSocketJson.Default.CancelAnswer)
        : session.RefuseAsync(request.Id, "Say which request to take back: {\"id\": 2, \"op\": \"cancel\", \"body\": {\"id\": 1}}.");
}
