using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Makes a save state in a file.</summary>
/// <param name="Path">The file, on the script's side.</param>
/// <param name="Flags">What it takes; null for the script's default.</param>
public readonly record struct SaveStateFile(string Path, StateFlags? Flags) : ICommand
{
    private static readonly CommandRow SaveStateFileRow = new("state.save_file", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => SaveStateFileRow;

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
