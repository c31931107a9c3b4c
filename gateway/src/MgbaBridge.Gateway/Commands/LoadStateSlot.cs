using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Loads a save state from a slot beside the game.</summary>
/// <param name="Slot">0..9.</param>
/// <param name="Flags">What it takes; null for the script's default.</param>
public readonly record struct LoadStateSlot(long Slot, StateFlags? Flags) : ICommand
{
    private static readonly CommandRow LoadStateSlotRow = new("state.load_slot", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => LoadStateSlotRow;

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
