using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Saves a state in a file, or loads it.</summary>
/// <param name="Move">Which of the two.</param>
/// <param name="Path">The file, on the script's side.</param>
/// <param name="Flags">What goes in or is taken; null for the script's default.</param>
public readonly record struct StateFile(StateMove Move, string Path, StateFlags? Flags) : IFileCommand
{
    private static readonly CommandRow SaveRow = new("state.save_file", CommandKind.Effect);
    private static readonly CommandRow LoadRow = new("state.load_file", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => Move == StateMove.Save ? SaveRow : LoadRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        head.Text(Encoding.UTF8.GetBytes(Path));
        if (Flags is { } flags)
        {
            head.Named("flags"u8, (long)flags);
        }
    }
}
