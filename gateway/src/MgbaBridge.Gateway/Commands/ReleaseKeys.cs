using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Lets go of all levels and queued taps of the holder.</summary>
public readonly record struct ReleaseKeys() : ICommand
{
    private static readonly CommandRow ReleaseKeysRow = new("release", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => ReleaseKeysRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>How many levels were let go.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var count) ? count : throw new UnexpectedReplyException(ReleaseKeysRow);
    }
}
