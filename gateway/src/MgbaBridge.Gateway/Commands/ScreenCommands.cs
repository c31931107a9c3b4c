using System.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes a screenshot. The reply's tail contains it as PNG.</summary>
public readonly record struct ReadScreen() : ICommand<ReadScreen>
{
    private static readonly CommandDescriptor ScreenDescriptor = new("screen", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => ScreenDescriptor;

    /// <inheritdoc/>
    public static RequestClass ClassOf(in ReadScreen command) => RequestClass.Bulk;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>Width and height in pixels.</summary>
    public static (int Width, int Height) Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var width) && values.TryReadInteger(out var height)
            ? ((int)width, (int)height)
            : throw new UnexpectedReplyException(ScreenDescriptor);
    }
}

/// <summary>Writes a screenshot to a PNG file.</summary>
/// <param name="Path">The file, on the script's side.</param>
public readonly record struct SaveScreen(string Path) : ICommand<SaveScreen>, IFileCommand
{
    private static readonly CommandDescriptor SaveScreenDescriptor = new("screen.save", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => SaveScreenDescriptor;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => head.Text(Encoding.UTF8.GetBytes(Path));
}
