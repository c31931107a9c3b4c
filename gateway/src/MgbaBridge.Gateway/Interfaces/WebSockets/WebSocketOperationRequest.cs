using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>A request for an operation over a WebSocket: values from the body of a message and the bytes behind it; JSON, bytes or a problem as the answer.</summary>
/// <param name="session">The client's session.</param>
/// <param name="request">The request.</param>
/// <param name="cancelled">Cancels it.</param>
internal readonly struct WebSocketOperationRequest(WebSocketSession session, WebSocketRequest request, CancellationToken cancelled) : IInterfaceRequest<WebSocketOperationRequest>
{
    public Invocation Invocation => new(session.Emulator, session.Options, session.Services, cancelled) { Caller = session.Caller, Session = session };

    public ValueTask<BoundRequest<TRequest>> ReadAsync<TRequest>(Parameters<TRequest> parameters) => session.Values.Read(request, parameters, out var values) is { } wrong
        ? RefuseAsync<TRequest>(wrong)
        : ValueTask.FromResult(new BoundRequest<TRequest>(true, values));

    public void Release<TRequest>(Parameters<TRequest> parameters, in BoundRequest<TRequest> bound)
    {
        // the buffer of the message is used again when the request first waits
    }

    public ValueTask WriteAsync<TRequest, TResponse>(Operation<TRequest, TResponse> operation, Result<TResponse> result)
    {
        request.LongRunning?.Free();
        var (id, isBinary) = (request.Id!.Value, request.IsBinary);
        return result.Failure is { } failure ? session.RefuseAsync(id, failure)
            : operation.Write is { } write ? session.AnswerAsync(id, result.Value!, write, isBinary, result.Reply?.Size ?? Limits.Tail)
            : isBinary && operation.Bytes is { } bytes ? session.AnswerAsync(id, new DoneAnswer(result.Frame ?? 0, result.Epoch), bytes.Read(result.Value!))
            : session.AnswerAsync(id, result.Value!, operation.Response.Value, result.Reply?.Size);
    }

    // a socket is for one emulator, and ends with it
    public ValueTask<EmulatorClient?> SuccessorAsync(EmulatorClient emulator, CommandFailure failure, bool isRead) => default;

    public ValueTask RunLongAsync(Func<WebSocketOperationRequest, ValueTask> run)
    {
        var of = session;
        return session.RunLongRunning(request, (request, cancellation) => run(new WebSocketOperationRequest(of, request, cancellation)));
    }

    private async ValueTask<BoundRequest<TRequest>> RefuseAsync<TRequest>(string wrong)
    {
        await session.RefuseAsync(request.Id, wrong);
        return default;
    }
}
