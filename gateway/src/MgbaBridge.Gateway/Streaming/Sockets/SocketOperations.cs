using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>What can be asked for on a socket, by name. Bodies and answers are those of the HTTP paths.</summary>
internal static class SocketOperations
{
    private const int LongestName = 32;

    private static readonly FrozenDictionary<string, SocketOperation> Known = new Dictionary<string, SocketOperation>
    {
        ["ping"] = static (session, request) => session.AskAsync(request, new Ping(), Done),
        ["game"] = static (session, request) => session.AskAsync(request, new ReadGame(), static (draft, answer) => draft.Body(GameAnswer.Of(answer.Reply), BridgeJson.Default.GameAnswer)),
        ["reset"] = static (session, request) => session.AskAsync(request, new ResetGame(), Done),
        ["memory.read"] = SocketMemory.ReadAsync,
        ["memory.write"] = SocketMemory.WriteAsync,
        ["keys"] = static (session, request) => session.AskAsync(request, new ReadKeys(), static (draft, answer) => draft.Body(KeysAnswer.Of(answer.Reply), BridgeJson.Default.KeysAnswer)),
        ["keys.set"] = static (session, request) => SocketKeys.ChangeAsync(session, request, KeyChange.Set),
        ["keys.add"] = static (session, request) => SocketKeys.ChangeAsync(session, request, KeyChange.Add),
        ["keys.clear"] = static (session, request) => SocketKeys.ChangeAsync(session, request, KeyChange.Clear),
        ["keys.release"] = static (session, request) => session.AskAsync(request, new ReleaseKeys(), Done),
        ["keys.tap"] = SocketKeys.TapAsync,
        ["keys.sequence"] = SocketKeys.SequenceAsync,
        ["batch"] = SocketBatch.RunAsync,
        ["wait"] = SocketWaits.WaitAsync,
        ["cancel"] = SocketWaits.CancelAsync,
        ["lease"] = SocketLease.TakeAsync,
        ["lease.step"] = static (session, request) => session.Steps.RunAsync(session, request),
        ["lease.release"] = SocketLease.ReleaseAsync,
        ["screen"] = SocketBytes.ScreenAsync,
        ["screen.stream"] = static (session, request) => session.Pictures.StartAsync(request),
        ["screen.stop"] = static (session, request) => session.Pictures.StopAsync(request),
        ["state"] = SocketBytes.StateAsync,
        ["state.load"] = SocketBytes.LoadStateAsync,
        ["subscribe"] = static (session, request) => session.Events.SubscribeAsync(request),
        ["unsubscribe"] = static (session, request) => session.Events.UnsubscribeAsync(request),
    }.ToFrozenDictionary();

    private static readonly FrozenDictionary<string, SocketOperation>.AlternateLookup<ReadOnlySpan<char>> ByText = Known.GetAlternateLookup<ReadOnlySpan<char>>();

    /// <summary>What is said when there is no such operation.</summary>
    public static string Forms { get; } = $"op has to be one of {string.Join(", ", Names)}.";

    /// <summary>All names.</summary>
    public static IEnumerable<string> Names => Known.Keys.Order(StringComparer.Ordinal);

    /// <summary>Finds an operation by its name in UTF-8.</summary>
    public static bool TryFind(ReadOnlySpan<byte> name, [NotNullWhen(true)] out SocketOperation? operation, out bool takesBytes)
    {
        Span<char> text = stackalloc char[LongestName];
        operation = null;
        takesBytes = name.SequenceEqual("state.load"u8) || name.SequenceEqual("memory.write"u8);
        return name.Length <= LongestName && Encoding.UTF8.TryGetChars(name, text, out var length) && ByText.TryGetValue(text[..length], out operation);
    }

    /// <summary>The answer of what has nothing to tell but when it was done.</summary>
    public static void Done<TCommand>(SocketDraft draft, SocketReply<TCommand> answer)
        where TCommand : struct, ICommand => draft.Body(new DoneAnswer(answer.Reply.Frame, answer.Reply.Epoch), BridgeJson.Default.DoneAnswer);
}
