using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks for mGBA's own frame count, which goes back on reset and load-state.</summary>
public readonly record struct ReadCoreFrame() : ICommand
{
    private static readonly CommandRow FrameRow = new("core.frame", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => FrameRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The count.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(FrameRow);
    }
}
