using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Runs several commands in order between the same two frames. A guard that does not match stops all of them before anything is done.</summary>
/// <param name="Items">The commands, guards first.</param>
/// <param name="At">In which frame; null for at once.</param>
/// <param name="After">After how many frames; null for at once.</param>
public readonly record struct RunBatch(BatchItems Items, long? At, long? After) : ICommand
{
    private static readonly CommandRow BatchRow = new("batch", CommandKind.Effect);
    private static readonly CommandRow LaterRow = new("batch", CommandKind.Effect, lasts: true);

    /// <inheritdoc/>
    public CommandRow Row => At is null && After is null ? BatchRow : LaterRow;

    /// <inheritdoc/>
    public Lane Lane => At is null && After is null ? Transfer.LaneFor(Items.Bytes.Length) : Lane.Push;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => Items.Bytes;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (At is { } at)
        {
            head.Named("at"u8, at);
        }

        if (After is { } after)
        {
            head.Named("after"u8, after);
        }
    }
}
