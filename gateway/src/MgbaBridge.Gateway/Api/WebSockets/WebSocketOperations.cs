using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Keys;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>What can be asked for on a socket, by name. Bodies and answers are those of the HTTP paths.</summary>
internal static class WebSocketOperations
{
    private const int MaxName = 32;

    private static readonly FrozenDictionary<string, WebSocketOperation> Known = new Dictionary<string, WebSocketOperation>
    {
        ["ping"] = static (session, request) => session.SendAsync(request, new Ping(), Done),
        ["game"] = static (session, request) => session.SendAsync(request, new ReadGame(), static (draft, answer) => draft.Body(GameAnswer.Of(answer.Reply), BridgeJson.Default.GameAnswer)),
        ["reset"] = static (session, request) => session.SendAsync(request, new ResetGame(), Done),
        ["memory.read"] = WebSocketMemory.ReadAsync,
        ["memory.write"] = WebSocketMemory.WriteAsync,
        ["keys"] = static (session, request) => session.SendAsync(request, new ReadKeys(), static (draft, answer) => draft.Body(KeysAnswer.Of(answer.Reply), BridgeJson.Default.KeysAnswer)),
        ["keys.set"] = static (session, request) => WebSocketKeys.ChangeAsync(session, request, KeyChange.Set),
        ["keys.add"] = static (session, request) => WebSocketKeys.ChangeAsync(session, request, KeyChange.Add),
        ["keys.clear"] = static (session, request) => WebSocketKeys.ChangeAsync(session, request, KeyChange.Clear),
        ["keys.release"] = static (session, request) => session.SendAsync(request, new ReleaseKeys(), Done),
        ["keys.tap"] = WebSocketKeys.TapAsync,
        ["keys.sequence"] = WebSocketKeys.SequenceAsync,
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
    }.ToFrozenDictionary();

    private static readonly FrozenDictionary<string, WebSocketOperation>.AlternateLookup<ReadOnlySpan<char>> ByText = Known.GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>What is said when there is no such operation.</summary>
    public static string FormatHint { get; } = $"op has to be one of {string.Join(", ", Names)}.";

    /// <summary>All names.</summary>
    public static IEnumerable<string> Names => Known.Keys.Order(StringComparer.Ordinal);

    /// <summary>Finds an operation by its name in UTF-8.</summary>
    public static bool TryFind(ReadOnlySpan<byte> name, [NotNullWhen(true)] out WebSocketOperation? operation, out bool takesBytes)
    {
        Span<char> text = stackalloc char[MaxName];
        operation = null;
        takesBytes = name.SequenceEqual("state.load"u8) || name.SequenceEqual("memory.write"u8);
        return name.Length <= MaxName && Encoding.UTF8.TryGetChars(name, text, out var length) && ByText.TryGetValue(text[..length], out operation);
    }

    /// <summary>The answer of what has nothing to tell but when it was done.</summary>
    public static void Done<TCommand>(WebSocketMessage draft, WebSocketReply<TCommand> answer)
        where TCommand : struct, ICommand<TCommand> => draft.Body(new DoneAnswer(answer.Reply.Frame, answer.Reply.Epoch), BridgeJson.Default.DoneAnswer);
}

/// <summary>What is done for a request. It reads the body before it first waits, and answers.</summary>
internal delegate ValueTask WebSocketOperation(WebSocketSession session, WebSocketRequest request);
