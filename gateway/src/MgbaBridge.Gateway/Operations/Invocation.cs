using System.Runtime.CompilerServices;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations;

/// <summary>One request, whichever interface it came by: for whom, and with what, an operation runs.</summary>
/// <param name="Emulator">The emulator that is meant; null when there is none and the operation exists once.</param>
/// <param name="Options">The caller's holder, to send commands with.</param>
/// <param name="Services">The services of the application.</param>
/// <param name="Cancelled">Cancelled when the caller leaves.</param>
public readonly record struct Invocation(EmulatorClient Emulator, RequestOptions Options, IServiceProvider Services, CancellationToken Cancelled)
{
    /// <summary>The caller.</summary>
    public required Caller Caller { get; init; }

    /// <summary>The caller's session; null when its requests have none in common, as over HTTP.</summary>
    public IOperationSession? Session { get; init; }

    /// <summary>The entity tags of the bytes that the caller has already; null for none.</summary>
    public string? KnownTags { get; init; }

    /// <summary>The bytes of a request for an operation that <see cref="Operation.TakesUpload"/>, as they arrive; null for others.</summary>
    public Stream? Upload { get; init; }

    /// <summary>A service of the application.</summary>
    public T Get<T>()
        where T : notnull => Services.GetRequiredService<T>();

    /// <summary>Sends a command and makes the result of its reply, whose buffers the value does not use.</summary>
    public async ValueTask<Result<T>> SendAsync<TCommand, T>(TCommand command, Func<Reply, T> read, TimeSpan? timeout = null)
        where TCommand : struct, ICommand<TCommand>
    {
        using var reply = await SendAsync(command, timeout);
        return Result.Of(reply, read, static (read, reply) => read(reply));
    }

    /// <summary>As above; the value may use the reply's buffers, and the result, when disposed, gives them back.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<Result<T>> SendAsync<TCommand, T>(TCommand command, Func<TCommand, Reply, T> read, TimeSpan? timeout = null)
        where TCommand : struct, ICommand<TCommand>
    {
        var reply = await SendAsync(command, timeout);
        try
        {
            return Result.Of(reply, (command, read), static (state, reply) => state.read(state.command, reply)) with { Reply = reply };
        }
        catch
        {
            reply.Dispose();
            throw;
        }
    }

    private ValueTask<Reply> SendAsync<TCommand>(TCommand command, TimeSpan? timeout)
        where TCommand : struct, ICommand<TCommand> => Emulator.SendAsync(command, Options with { Timeout = Options.Timeout ?? timeout }, Cancelled);
}

/// <summary>The session of a caller whose requests share a connection, such as a WebSocket.</summary>
public interface IOperationSession
{
    /// <summary>Free while no step of the session's lease runs: steps run one after the other, however many were sent.</summary>
    SemaphoreSlim StepTurn { get; }

    /// <summary>Records what the caller may hold from now on; it is released when the session ends.</summary>
    void Record(Held held);
}
