using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Runs exactly so many frames, and then items on the frame reached.</summary>
/// <param name="Frames">0..36000; 0 only runs the items.</param>
/// <param name="Keys">The keys that are down from now on; null for those of before.</param>
/// <param name="Items">What to run then, or null.</param>
/// <param name="From">Runs only if the game stands in this frame, or null.</param>
public readonly record struct StepLease(long Frames, KeySet? Keys, BatchItems? Items, long? From = null) : ICommand
{
    private static readonly CommandRow StepRow = new("lease.step", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => StepRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => Items?.Bytes;

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
