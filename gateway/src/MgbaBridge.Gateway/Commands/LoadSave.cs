using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Uses another file for the game's save data.</summary>
/// <param name="Path">The file, below a folder that the script allows. It is made if it is not there.</param>
/// <param name="Temporary">Whether what the game saves is not written back.</param>
public readonly record struct LoadSave(string Path, bool Temporary) : IFileCommand
{
    private static readonly CommandRow LoadRow = new("save.load", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => LoadRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Path));
        head.Boolean(Temporary);
    }
}
