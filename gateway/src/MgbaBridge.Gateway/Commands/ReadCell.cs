using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Reads one value of 8, 16 or 32 bits, unsigned and little-endian.</summary>
/// <param name="Location">Where.</param>
/// <param name="Width">How wide.</param>
public readonly record struct ReadCell(Location Location, CellWidth Width) : ICommand
{
    private static readonly CommandRow ReadByte = new("memory.read8", CommandKind.Read);
    private static readonly CommandRow ReadHalf = new("memory.read16", CommandKind.Read);
    private static readonly CommandRow ReadWord = new("memory.read32", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => Width switch { CellWidth.Byte => ReadByte, CellWidth.Half => ReadHalf, _ => ReadWord };

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => Location.WriteTo(ref head);

    /// <summary>The value.</summary>
    public static long Parse(Reply reply)
    {
        var values = reply.Values;
        return values.TryReadInteger(out var value) ? value : throw new UnexpectedReplyException(ReadByte);
    }
}
