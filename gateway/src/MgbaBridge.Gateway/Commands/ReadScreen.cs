using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Takes the picture. The reply's tail has it as PNG.</summary>
public readonly record struct ReadScreen() : ICommand
{
    private static readonly CommandRow ScreenRow = new("screen", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => ScreenRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Bulk;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

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
            : throw new UnexpectedReplyException(ScreenRow);
    }
}
