using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Reads the values of a request as an interface has them: from path, query and body, or from a message.</summary>
internal interface IRequestReader
{
    /// <summary>Reads the values. When something is wrong with them, it answers that itself.</summary>
    ValueTask<BoundRequest<TRequest>> ReadAsync<TRequest>(Parameters<TRequest> parameters);

    /// <summary>The request has been run: its bytes are not needed any more.</summary>
    void Release<TRequest>(Parameters<TRequest> parameters, in BoundRequest<TRequest> request);
}

/// <summary>Writes the result of a request as an interface has it: JSON, bytes, or a problem.</summary>
internal interface IResultWriter
{
    /// <summary>Writes it. What it uses is given back afterwards.</summary>
    ValueTask WriteAsync<TRequest, TResponse>(Operation<TRequest, TResponse> operation, Result<TResponse> result);
}

/// <summary>One request of an interface.</summary>
/// <typeparam name="TSelf">The interface's own type, so that a request needs no object.</typeparam>
internal interface IInterfaceRequest<TSelf> : IRequestReader, IResultWriter
    where TSelf : struct, IInterfaceRequest<TSelf>
{
    /// <summary>For whom, and with what, it runs.</summary>
    Invocation Invocation { get; }

    /// <summary>Where a request is sent again that failed because its emulator moved to another host; null when it is not.</summary>
    ValueTask<EmulatorClient?> SuccessorAsync(EmulatorClient emulator, CommandFailure failure, bool isRead);

    /// <summary>Runs what takes frames, beside other requests of the caller if the interface has them on one connection.</summary>
    ValueTask RunLongAsync(Func<TSelf, ValueTask> run);
}

/// <summary>A request that was read.</summary>
/// <param name="IsRead">False when the answer has been written, because something is wrong with the request.</param>
/// <param name="Request">The request.</param>
/// <param name="Body">The body's bytes, in the interface's buffer until they are released.</param>
internal readonly record struct BoundRequest<TRequest>(bool IsRead, TRequest Request, System.Buffers.ReadOnlySequence<byte> Body = default);
