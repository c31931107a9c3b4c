using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes the lockstep lease: the game runs only the frames that the holder requests.</summary>
/// <param name="LimitMilliseconds">The time without a request of the holder after which the lease ends, 50..10000 ms; null for 2000.</param>
/// <param name="Token">The token of a lease to resume, or null.</param>
public readonly record struct TakeLease(long? LimitMilliseconds, string? Token) : ICommand<TakeLease>
{
    private static readonly CommandDescriptor TakeDescriptor = new("lease.take", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => TakeDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (LimitMilliseconds is { } limit)
        {
            head.Named("limit"u8, limit);
        }

        if (Token is not null)
        {
            head.Named("token"u8, Encoding.UTF8.GetBytes(Token));
        }
    }

    /// <summary>The token for resuming, the limit, the remaining frames of a running step, and the frames until all taps are over.</summary>
    public static (string Token, long LimitMilliseconds, long Running, long Taps) Parse(Reply reply)
    {
        var values = reply.Values;
        var token = values.ReadTo("token"u8) ? values.GetText() : throw new UnexpectedReplyException(TakeDescriptor);
        var limit = values.ReadTo("limit"u8) ? values.Integer : throw new UnexpectedReplyException(TakeDescriptor);
        return (token, limit, values.ReadTo("running"u8) ? values.Integer : 0, values.ReadTo("taps"u8) ? values.Integer : 0);
    }
}

/// <summary>Runs an exact number of frames, and then items in the frame reached.</summary>
/// <param name="Frames">0..36000; 0 only runs the items.</param>
/// <param name="Keys">The keys held from now on; null for no change.</param>
/// <param name="Items">The items, or null.</param>
/// <param name="From">Runs only if the game is in this frame; null for any.</param>
public readonly record struct StepLease(long Frames, KeySet? Keys, BatchItems? Items, long? From = null) : ICommand<StepLease>
{
    private static readonly CommandDescriptor StepDescriptor = new("lease.step", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => StepDescriptor;

    /// <inheritdoc/>
    public static ReadOnlySequence<byte>? TailOf(in StepLease command) => command.Items?.Bytes;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Integer(Frames);
        if (Keys is { } keys)
        {
            head.Named("keys"u8, keys.Mask);
        }

        if (From is { } from)
        {
            head.Named("from"u8, from);
        }
    }
}

/// <summary>Ends the lockstep lease.</summary>
public readonly record struct ReleaseLease() : ICommand<ReleaseLease>
{
    private static readonly CommandDescriptor ReleaseDescriptor = new("lease.release", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ReleaseDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>Whether there was one.</summary>
    public static bool Parse(Reply reply)
    {
        var values = reply.Values;
        return values.Read() ? values.Boolean : throw new UnexpectedReplyException(ReleaseDescriptor);
    }
}
