using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Saves a state in a slot beside the game, or loads it.</summary>
/// <param name="Move">Which of the two.</param>
/// <param name="Slot">0..9.</param>
/// <param name="Flags">What goes in or is taken; null for the script's default.</param>
public readonly record struct StateSlot(StateMove Move, long Slot, StateFlags? Flags) : ICommand
{
    private static readonly CommandRow SaveRow = new("state.save_slot", CommandKind.Effect);
    private static readonly CommandRow LoadRow = new("state.load_slot", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => Move == StateMove.Save ? SaveRow : LoadRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Integer(Slot);
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}
