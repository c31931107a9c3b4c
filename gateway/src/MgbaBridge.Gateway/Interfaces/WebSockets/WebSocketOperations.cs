using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Batch;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The operations that only a session has, or that it does in its own way.</summary>
internal static class WebSocketOperations
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, WebSocketHandler> OfTheSession { get; } = new Dictionary<string, WebSocketHandler>
    {
        ["ping"] = static (session, request) => session.SendAsync(request, new Ping(), Done, null, session.Over),
        ["cancel"] = CancelAsync,
        ["screen.stream"] = static (session, request) => session.Pictures.StartAsync(request),
        ["screen.stop"] = static (session, request) => session.Pictures.StopAsync(request),
        ["subscribe"] = static (session, request) => session.Events.SubscribeAsync(request),
        ["unsubscribe"] = static (session, request) => session.Events.UnsubscribeAsync(request),
    };

    /// <summary>The handler of an operation that a session does in its own way; null for all others.</summary>
    public static WebSocketHandler? HandlerOf(Operation operation) => operation is CommandOperation<StepRequest, StepLease, BatchAnswer> step
        ? (session, request) => session.Steps.RunAsync(session, request, step)
        : null;

    /// <summary>The response of what says nothing but when it was done.</summary>
    public static void Done<TCommand>(WebSocketMessage message, WebSocketReply<TCommand> reply)
        where TCommand : struct, ICommand<TCommand> => message.Body(new DoneAnswer(reply.Reply.Frame, reply.Reply.Epoch), CommonJson.Default.DoneAnswer);

    private static ValueTask CancelAsync(WebSocketSession session, WebSocketRequest request) => WebSocketRequest.TryId(request.Body.Span, out var id)
        ? session.AnswerAsync(request.Id!.Value, new CancelAnswer(session.LongRunning.Cancel(id)), WebSocketJson.Default.CancelAnswer)
        : session.RefuseAsync(request.Id, "Say which request to take back: {\"id\": 2, \"op\": \"cancel\", \"body\": {\"id\": 1}}.");
}
