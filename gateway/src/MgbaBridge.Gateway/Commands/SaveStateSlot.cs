using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Makes a save state in a slot beside the game.</summary>
/// <param name="Slot">0..9.</param>
/// <param name="Flags">What it takes; null for the script's default.</param>
public readonly record struct SaveStateSlot(long Slot, StateFlags? Flags) : ICommand
{
    private static readonly CommandRow SaveStateSlotRow = new("state.save_slot", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => SaveStateSlotRow;

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
