using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations;

/// <summary>What came of an operation: a value, or a failure. The interface that writes it disposes it.</summary>
/// <param name="Value">The value.</param>
/// <param name="Failure">Why there is none, or null.</param>
/// <param name="Frame">The frame that it belongs to, or null for none.</param>
/// <param name="Epoch">The epoch that it belongs to.</param>
public readonly record struct Result<T>(T? Value, Failure? Failure, long? Frame = null, Epoch Epoch = default) : IDisposable
{
    /// <summary>The reply whose buffers the value uses; null for none.</summary>
    internal Reply? Reply { get; init; }

    /// <summary>A value.</summary>
    public static implicit operator Result<T>(T value) => new(value, null);

    /// <summary>No value.</summary>
    public static implicit operator Result<T>(Failure failure) => new(default, failure);

    /// <summary>The same, of a frame.</summary>
    public Result<T> At(long frame, Epoch epoch) => this with { Frame = frame, Epoch = epoch };

    /// <summary>The value.</summary>
    /// <exception cref="RequestFailedException">A command failed.</exception>
    /// <exception cref="InvalidOperationException">There is none for another reason.</exception>
    public T EnsureSuccess() => Failure switch
    {
        null => Value!,
        { OfCommand: { } failure } => throw new RequestFailedException(failure),
        _ => throw new InvalidOperationException(Failure.Detail),
    };

    /// <summary>Gives back what the value uses.</summary>
    public void Dispose()
    {
        (Value as IDisposable)?.Dispose();
        Reply?.Dispose();
    }
}

/// <summary>Makes results of replies.</summary>
internal static class Result
{
    /// <summary>A value of a frame.</summary>
    public static Result<T> At<T>(T value, long frame, Epoch epoch) => new(value, null, frame, epoch);

    /// <summary>The value that <paramref name="read"/> makes of a reply, or why there is none; of the reply's frame.</summary>
    public static Result<T> Of<T>(Reply reply, Func<Reply, T> read) => Of(reply, read, static (read, reply) => read(reply));

    /// <summary>As above.</summary>
    public static Result<T> Of<TState, T>(Reply reply, TState state, Func<TState, Reply, T> read)
    {
        Result<T> result = reply.Failure is { } failure ? Failure.Of(failure) : read(state, reply);
        return reply.Frame > 0 || reply.Failure is null ? result.At(reply.Frame, reply.Epoch) : result;
    }
}
