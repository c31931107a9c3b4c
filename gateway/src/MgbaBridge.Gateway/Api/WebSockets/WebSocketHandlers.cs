using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;
using System.Text;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.WebSockets;

/// <summary>Handles a request. It reads the body before it first awaits, and sends the response.</summary>
internal delegate ValueTask WebSocketHandler(WebSocketSession session, WebSocketRequest request);

/// <summary>What can be requested over a WebSocket, by name: all operations that are not for HTTP alone, and those of the session itself.</summary>
internal sealed class WebSocketHandlers : IOperationVisitor
{
    private readonly Dictionary<string, Entry> _entries = [];
    private readonly FrozenDictionary<string, Entry> _known;
    private readonly FrozenDictionary<string, Entry>.AlternateLookup<ReadOnlySpan<char>> _byText;
    private readonly int _maxName;

    /// <summary>Makes a handler for each operation, once.</summary>
    public WebSocketHandlers(IEnumerable<Operation> operations)
    {
        foreach (var operation in operations)
        {
            operation.Accept(this);
        }

        // requests that exist only on a session
        foreach (var (name, handler) in WebSocketOperations.OfTheSession)
        {
            _entries.Add(name, new Entry(handler, TakesBytes: false));
        }

        _known = _entries.ToFrozenDictionary();
        _byText = _known.GetAlternateLookup<ReadOnlySpan<char>>();
        _maxName = _known.Keys.Max(name => name.Length);
        FormatHint = $"op has to be a name that GET /v2/operations lists, or one of {string.Join(", ", WebSocketOperations.OfTheSession.Keys.Order(StringComparer.Ordinal))}.";
    }

    /// <summary>The problem's text when there is no such operation.</summary>
    public string FormatHint { get; }

    /// <summary>Finds a handler by the operation's name in UTF-8.</summary>
    public bool TryFind(ReadOnlySpan<byte> name, [NotNullWhen(true)] out WebSocketHandler? handler, out bool takesBytes)
    {
        Span<char> text = stackalloc char[128];
        (handler, takesBytes) = (null, false);
        if (name.Length > _maxName || !Encoding.UTF8.TryGetChars(name, text, out var length) || !_byText.TryGetValue(text[..length], out var entry))
        {
            return false;
        }

        (handler, takesBytes) = entry;
        return true;
    }

    /// <inheritdoc/>
    public void Visit<TRequest, TCommand, TResponse>(CommandOperation<TRequest, TCommand, TResponse> operation)
        where TCommand : struct, ICommand<TCommand> =>
        Add(operation, new CommandHandler<TRequest, TCommand, TResponse>(operation).RunAsync, operation.Request.WithBytes is not null);

    /// <inheritdoc/>
    public void Visit<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation) =>
        Add(operation, new GatewayHandler<TRequest, TResponse>(operation).RunAsync, operation.Request.WithBytes is not null);

    /// <inheritdoc/>
    public void Visit(EndpointOperation operation)
    {
    }

    private void Add(Operation operation, WebSocketHandler handler, bool takesBytes)
    {
        handler = WebSocketOperations.HandlerOf(operation) ?? handler;
        foreach (var name in operation.Aliases.Prepend(operation.Name))
        {
            _entries.Add(name, new Entry(handler, takesBytes));
        }
    }

    private readonly record struct Entry(WebSocketHandler Handler, bool TakesBytes);

    /// <summary>One command for each request.</summary>
    private sealed class CommandHandler<TRequest, TCommand, TResponse>
        where TCommand : struct, ICommand<TCommand>
    {
        private readonly CommandOperation<TRequest, TCommand, TResponse> _operation;
        private readonly Action<WebSocketMessage, WebSocketReply<TCommand>> _write;

        public CommandHandler(CommandOperation<TRequest, TCommand, TResponse> operation)
        {
            _operation = operation;
            _write = Write;
        }

        public ValueTask RunAsync(WebSocketSession session, WebSocketRequest request)
        {
            if (!WebSocketCommands.TryRead(request, _operation.Request, out var parameters, out var wrong))
            {
                return session.RefuseAsync(request.Id, wrong);
            }

            if (_operation.Command(parameters, out var command) is { } refused)
            {
                return session.RefuseAsync(request.Id, refused);
            }

            var timeout = _operation.Timeout?.Invoke(parameters);
            return command.Descriptor.Lasts && timeout is { } longest
                ? session.SendLongRunningAsync(request, command, _write, longest)
                : session.SendAsync(request, command, _write, timeout);
        }

        private void Write(WebSocketMessage message, WebSocketReply<TCommand> reply)
        {
            if (_operation.Write is { } write)
            {
                message.Json.WritePropertyName("body"u8);
                write(message, reply.Command, reply.Reply, reply.IsBinary);
            }
            else if (reply.IsBinary && _operation.TailIsBytes)
            {
                message.Body(DoneAnswer.Of(reply.Command, reply.Reply), BridgeJson.Default.DoneAnswer);
                message.Follow(reply.Reply.Tail);
            }
            else
            {
                message.Body(_operation.Read(reply.Command, reply.Reply), _operation.Response);
            }
        }
    }

    /// <summary>Code of the gateway for each request.</summary>
    private sealed class GatewayHandler<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation)
    {
        public ValueTask RunAsync(WebSocketSession session, WebSocketRequest request) =>
            WebSocketCommands.TryRead(request, operation.Request, out var parameters, out var wrong)
                ? RunAsync(session, request.Id!.Value, parameters)
                : session.RefuseAsync(request.Id, wrong);

        private async ValueTask RunAsync(WebSocketSession session, WebSocketId id, TRequest parameters)
        {
            if (operation.IsEffect)
            {
                session.RecordEffect();
            }

            var context = new OperationContext(session.Emulator, new RequestOptions { Holder = session.Holder }, session.Services, session.Over) { Session = session };
            var result = await operation.Run(context, parameters);
            await (result.Refusal is { } refusal
                ? session.RefuseAsync(id, Problems.Of(refusal, session.Emulator.Id, session.Trace))
                : session.AnswerAsync(id, result.Response!, operation.Response));
        }
    }
}
