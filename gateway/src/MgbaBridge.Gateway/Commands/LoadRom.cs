using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Loads another game of the same console.</summary>
/// <param name="Path">The file, below a folder that the script allows.</param>
/// <param name="Reset">Whether it starts from the beginning, which is what almost every game needs.</param>
public readonly record struct LoadRom(string Path, bool Reset = true) : IFileCommand
{
    private static readonly CommandRow LoadRow = new("rom.load", CommandKind.Effect);

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
        if (!Reset)
        {
            head.Named("reset"u8, false);
        }
    }
}
