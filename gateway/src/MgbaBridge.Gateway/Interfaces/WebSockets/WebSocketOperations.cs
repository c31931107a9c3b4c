using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Screen;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>An operation that only a session has.</summary>
/// <param name="Handler">Handles requests.</param>
/// <param name="Summary">What it does.</param>
/// <param name="Parameters">Its parameters.</param>
/// <param name="Answer">The type of the response's JSON.</param>
internal sealed record SessionOperation(WebSocketHandler Handler, string Summary, IReadOnlyList<Parameter> Parameters, Type Answer);

/// <summary>The operations that only a session has.</summary>
internal static class WebSocketOperations
{
    private static readonly Parameters<double?> Delay = Parameters.Of(Parameter.Number("delayMs", 0, 600_000, "How long the last ping took; owners see it in the list of guests.").Optional());
    private static readonly Parameter<string> Cancelled = Parameter.Text("id", "The id of the request: an integer, or a text.");

    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, SessionOperation> OfTheSession { get; } = new Dictionary<string, SessionOperation>
    {
        ["ping"] = new(PingAsync, "Whether gateway and script answer", Delay.All, typeof(DoneAnswer)),
        ["cancel"] = new(CancelAsync, "Take back a request that takes frames", [Cancelled], typeof(CancelAnswer)),
        ["screen.stream"] = new(static (session, request) => session.Pictures.StartAsync(request), "Receive pictures: events `screen`, each with a PNG as a binary message", PictureRates.Request.All, typeof(RateAnswer)),
        ["screen.stop"] = new(static (session, request) => session.Pictures.StopAsync(request), "Receive no pictures any more", [], typeof(RateAnswer)),
        ["subscribe"] = new(static (session, request) => session.Events.SubscribeAsync(request), "Receive the events of topics", WebSocketEvents.Subscription.All, typeof(TopicsAnswer)),
        ["unsubscribe"] = new(static (session, request) => session.Events.UnsubscribeAsync(request), "Receive the events of these topics no more", WebSocketEvents.Subscription.All, typeof(TopicsAnswer)),
    };

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
