using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>The operations that only a session has, or that it does in its own way.</summary>
internal static class WebSocketOperations
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, WebSocketHandler> OfTheSession { get; } = new Dictionary<string, WebSocketHandler>
    {
        ["ping"] = static (session, request) => session.SendAsync(request, new Ping(), Done),
        ["game"] = static (session, request) => session.SendAsync(request, new ReadGame(), static (draft, answer) => draft.Body(GameAnswer.Of(answer.Reply), BridgeJson.Default.GameAnswer)),
        ["reset"] = static (session, request) => session.SendAsync(request, new ResetGame(), Done),
        ["memory.read"] = WebSocketMemory.ReadAsync,
        ["memory.write"] = WebSocketMemory.WriteAsync,
        ["batch"] = WebSocketBatch.RunAsync,
        ["wait"] = WebSocketWaits.WaitAsync,
        ["cancel"] = WebSocketWaits.CancelAsync,
        ["lease"] = WebSocketLease.TakeAsync,
        ["lease.step"] = static (session, request) => session.Steps.RunAsync(session, request),
        ["lease.release"] = WebSocketLease.ReleaseAsync,
        ["screen"] = WebSocketBytes.ScreenAsync,
        ["screen.stream"] = static (session, request) => session.Pictures.StartAsync(request),
        ["screen.stop"] = static (session, request) => session.Pictures.StopAsync(request),
        ["state"] = WebSocketBytes.StateAsync,
        ["state.load"] = WebSocketBytes.LoadStateAsync,
        ["subscribe"] = static (session, request) => session.Events.SubscribeAsync(request),
        ["unsubscribe"] = static (session, request) => session.Events.UnsubscribeAsync(request),
    };

    /// <summary>Those of them that take bytes from a binary message.</summary>
    public static IReadOnlySet<string> TakeBytes { get; } = new HashSet<string> { "memory.write", "state.load" };

    /// <summary>The response of what says nothing but when it was done.</summary>
    public static void Done<TCommand>(WebSocketMessage message, WebSocketReply<TCommand> reply)
        where TCommand : struct, ICommand<TCommand> => message.Body(new DoneAnswer(reply.Reply.Frame, reply.Reply.Epoch), BridgeJson.Default.DoneAnswer);
}
