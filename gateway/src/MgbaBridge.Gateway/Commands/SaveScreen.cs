using System.Buffers;
using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Writes the picture to a PNG file.</summary>
/// <param name="Path">The file, on the script's side.</param>
public readonly record struct SaveScreen(string Path) : IFileCommand
{
    private static readonly CommandRow SaveScreenRow = new("screen.save", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => SaveScreenRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Path));
}
