using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Loads the save file that belongs to the game.</summary>
public readonly record struct AutoloadSave() : ICommand
{
    private static readonly CommandRow AutoloadRow = new("save.autoload", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => AutoloadRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }
}
