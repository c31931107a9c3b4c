using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Asks for the CRC32 of the ROM.</summary>
public readonly record struct ReadChecksum() : ICommand
{
    private static readonly CommandRow ChecksumRow = new("core.checksum", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => ChecksumRow;

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
    }

    /// <summary>The checksum, unsigned.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ChecksumRow);
    }
}
