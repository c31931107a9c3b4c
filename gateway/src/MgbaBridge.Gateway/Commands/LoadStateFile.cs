using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Loads a save state from a file.</summary>
/// <param name="Path">The file, on the script's side.</param>
/// <param name="Flags">What it takes; null for the script's default.</param>
public readonly record struct LoadStateFile(string Path, StateFlags? Flags) : ICommand
{
    private static readonly CommandRow LoadStateFileRow = new("state.load_file", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => LoadStateFileRow;

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
