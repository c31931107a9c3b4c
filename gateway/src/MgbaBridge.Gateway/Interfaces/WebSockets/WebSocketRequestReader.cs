using System.Net.WebSockets;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>Parses the messages of one session into requests and starts their operations.</summary>
internal sealed class WebSocketRequestReader(WebSocketSession session, WebSocketReceiver receiver, WebSocketHandlers handlers)
{
    // a request whose bytes follow in the next, binary message
    private (WebSocketRequest Request, WebSocketHandler Operation)? _expectsBytes;

    // the bytes of a request that was refused follow
    private bool _skipsBytes;

    /// <summary>Reads the receiver's message and starts its operation, or rejects it.</summary>
    public async ValueTask ReadAsync(WebSocketMessageType type)
    {
        var request = default(WebSocketRequest);
        try
        {
            if (_expectsBytes is { } expected)
            {
                _expectsBytes = null;
                request = expected.Request;
                if (type == WebSocketMessageType.Binary)
                {
                    await session.Slots.StartAsync(request with { Bytes = receiver.Message.ToArray() }, expected.Operation);
                    return;
                }

                await session.RefuseAsync(request.Id, "The bytes are missing: a request with \"binary\": true must be followed by a binary message.");
                request = default;
            }

            var isOfRefused = _skipsBytes && type == WebSocketMessageType.Binary;
            _skipsBytes = false;
            if (isOfRefused)
            {
                return;
            }

            if (type == WebSocketMessageType.Binary)
            {
                await session.RefuseAsync(null, "A binary message may only follow a request with \"binary\": true of an operation that takes bytes.");
            }
            else if (!WebSocketRequest.TryParse(receiver.Message, out request, out var wrong))
            {
                await session.RefuseAsync(request.Id, wrong);
            }
            else if (!handlers.TryFind(request.Operation.Span, out var operation))
            {
                await session.RefuseAsync(request.Id, handlers.ExpectedFormat);
            }
            else if (session.Caller.Role < operation.Role)
            {
                _skipsBytes = operation.TakesBytes && request.IsBinary;
                await session.RefuseAsync(request.Id, Failure.RoleNeeded(operation.Role, session.Caller.Role));
            }
            else if (operation.TakesBytes && request.IsBinary)
            {
                // the receiver reuses its buffer for the bytes
                _expectsBytes = (request with { Body = request.Body.ToArray(), Operation = default }, operation.Handler);
            }
            else
            {
                await session.Slots.StartAsync(request, operation.Handler);
            }
        }
        catch (Exception exception)
        {
            await session.FailAsync(null, request, exception);
        }
    }
}
