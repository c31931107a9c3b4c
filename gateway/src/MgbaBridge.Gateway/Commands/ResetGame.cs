using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Presses the reset button.</summary>
public readonly record struct ResetGame() : ICommand
{
    private static readonly CommandRow ResetRow = new("core.reset", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => ResetRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}
