using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes the state of the whole machine. The reply's tail has it.</summary>
/// <param name="Flags">What goes in; null for the script's default.</param>
public readonly record struct SaveState(StateFlags? Flags) : ICommand
{
    private static readonly CommandRow SaveRow = new("state.save", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => SaveRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Bulk;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}
