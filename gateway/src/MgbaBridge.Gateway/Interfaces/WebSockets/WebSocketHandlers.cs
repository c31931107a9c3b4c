using System.Collections.Frozen;
using System.Text;
using MgbaBridge.Client.Commands;
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
internal sealed class WebSocketHandlers : IOperationVisitor
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
            operation.Accept(this);
        }

        // requests that exist only on a session
        foreach (var (name, handler) in WebSocketOperations.OfTheSession)
        {
            _entries.Add(name, new WebSocketEntry(handler, TakesBytes: false, Role.Viewer));
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

    public void Visit<TRequest, TCommand, TResponse>(CommandOperation<TRequest, TCommand, TResponse> operation)
        where TCommand : struct, ICommand<TCommand> =>
        Add(operation, new CommandHandler<TRequest, TCommand, TResponse>(operation).RunAsync, operation.Request.TakesBytes);

    public void Visit<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation) =>
        Add(operation, new GatewayHandler<TRequest, TResponse>(operation).RunAsync, operation.Request.TakesBytes);

    private void Add(Operation operation, WebSocketHandler handler, bool takesBytes)
    {
        handler = WebSocketOperations.HandlerOf(operation) ?? handler;
        _entries.Add(operation.Name, new WebSocketEntry(handler, takesBytes, operation.IsWithoutToken ? Role.Viewer : operation.Access.Role()));
    }

    private static ValueTask RunAsync<TRequest, TResponse>(
        WebSocketSession session, WebSocketRequest request, Operation<TRequest, TResponse> operation, OperationHandler<TRequest, TResponse> handler, TRequest parameters, bool takesFrames)
    {
        return takesFrames ? session.RunLongRunning(request, RunAsync) : RunAsync(request, session.Over);

        async ValueTask RunAsync(WebSocketRequest request, CancellationToken cancellation)
        {
            var (id, isBinary) = (request.Id!.Value, request.IsBinary);
            var context = new OperationContext(session.Emulator, session.Options, session.Services, cancellation) { Session = session, Caller = session.Caller };
            var result = await handler(context, parameters);
            request.LongRunning?.Free();
            using var response = result.Value as IDisposable;
            await (result.Refusal is { } refusal ? session.RefuseAsync(id, refusal)
                : isBinary && operation.Bytes is { } bytes ? session.AnswerAsync(id, new DoneAnswer(result.Frame ?? 0, result.Epoch), bytes.Read(result.Value!))
                : isBinary && result.Value is IResponseWithBytes parts ? session.AnswerAsync(id, parts)
                : session.AnswerAsync(id, result.Value!, operation.Response.Value));
        }
    }

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
            if (WebSocketCommands.Read(request, _operation.Request, out var parameters) is { } wrong)
            {
                return session.RefuseAsync(request.Id, wrong);
            }

            if (OperationInvoker.Prepare(_operation, parameters, session.Caller, session, out var run) is { } refusal)
            {
                return session.RefuseAsync(request.Id, refusal);
            }

            return run.Handler is { } handler ? WebSocketHandlers.RunAsync(session, request, _operation, handler, parameters, run.TakesFrames)
                : run.TakesFrames ? SendLongRunning(session, request, run)
                : session.SendAsync(request, run.Command, _write, run.Timeout, session.Over);
        }

        // its closure is made only here
        private ValueTask SendLongRunning(WebSocketSession session, in WebSocketRequest request, CommandRun<TRequest, TCommand, TResponse> run) =>
            session.RunLongRunning(request, (request, cancellation) => session.SendAsync(request, run.Command, _write, run.Timeout, cancellation));

        private void Write(WebSocketMessage message, WebSocketReply<TCommand> reply)
        {
            if (_operation.Write is { } write)
            {
                message.Json.WritePropertyName("body"u8);
                write(message, reply.Command, reply.Reply, reply.IsBinary);
            }
            else if (reply.IsBinary && _operation.Bytes is { } bytes)
            {
                message.Body(DoneAnswer.Of(reply.Command, reply.Reply), CommonJson.Default.DoneAnswer);
                message.Add(bytes.Read(_operation.Read(reply.Command, reply.Reply)));
            }
            else
            {
                message.Body(_operation.Read(reply.Command, reply.Reply), _operation.Response.Value);
            }
        }
    }

    /// <summary>Code of the gateway for each request.</summary>
    private sealed class GatewayHandler<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation)
    {
        public ValueTask RunAsync(WebSocketSession session, WebSocketRequest request)
        {
            if (WebSocketCommands.Read(request, operation.Request, out var parameters) is { } wrong)
            {
                return session.RefuseAsync(request.Id, wrong);
            }

            return OperationInvoker.Prepare(operation, session.Caller, session) is { } refusal
                ? session.RefuseAsync(request.Id, refusal)
                : WebSocketHandlers.RunAsync(session, request, operation, operation.Run, parameters, operation.TakesFrames);
        }
    }
}
