using System.Collections.Frozen;
using System.Text;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>Handles a request. It reads the body before it first awaits, and sends the response.</summary>
internal delegate ValueTask WebSocketHandler(WebSocketSession session, WebSocketRequest request);

/// <summary>An operation on a WebSocket.</summary>
/// <param name="Handler">Handles requests.</param>
/// <param name="TakesBytes">Whether a request can have bytes in a binary message.</param>
/// <param name="Role">The role that it requires.</param>
internal readonly record struct WebSocketEntry(WebSocketHandler Handler, bool TakesBytes, Role Role);

/// <summary>What can be requested over a WebSocket, by name: all operations that are not for HTTP alone, and those of the session itself.</summary>
internal sealed class WebSocketHandlers
{
    private readonly Dictionary<string, WebSocketEntry> _entries = [];
    private readonly FrozenDictionary<string, WebSocketEntry> _known;
    private readonly FrozenDictionary<string, WebSocketEntry>.AlternateLookup<ReadOnlySpan<char>> _byText;
    private readonly int _maxName;

    /// <summary>Makes a handler for each operation, once.</summary>
    public WebSocketHandlers(IEnumerable<Operation> operations)
    {
        foreach (var operation in operations)
        {
            if (!operation.IsHttpOnly)
            {
                WebSocketHandler handler = (session, request) => operation.ServeAsync(new WebSocketOperationRequest(session, request, session.Over));
                _entries.Add(operation.Name, new WebSocketEntry(handler, operation.TakesBytes, operation.IsWithoutToken ? Role.Viewer : operation.Access.Role()));
            }
        }

        // requests that exist only on a session
        foreach (var (name, operation) in WebSocketOperations.OfTheSession)
        {
            _entries.Add(name, new WebSocketEntry(operation.Handler, TakesBytes: false, Role.Viewer));
        }

        _known = _entries.ToFrozenDictionary();
        _byText = _known.GetAlternateLookup<ReadOnlySpan<char>>();
        _maxName = _known.Keys.Max(name => name.Length);
        ExpectedFormat = $"op has to be a name that GET /v2/operations lists, or one of {string.Join(", ", WebSocketOperations.OfTheSession.Keys.Order(StringComparer.Ordinal))}.";
    }

    /// <summary>The problem's text when there is no such operation.</summary>
    public string ExpectedFormat { get; }

    /// <summary>Finds a handler by the operation's name in UTF-8.</summary>
    public bool TryFind(ReadOnlySpan<byte> name, out WebSocketEntry entry)
    {
        Span<char> text = stackalloc char[128];
        entry = default;
        return name.Length <= _maxName && Encoding.UTF8.TryGetChars(name, text, out var length) && _byText.TryGetValue(text[..length], out entry);
    }
}
