using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Writes one value of 8, 16 or 32 bits, little-endian.</summary>
/// <param name="Location">Where.</param>
/// <param name="Width">How wide.</param>
/// <param name="Value">0..2^bits-1, or negative in two's complement.</param>
public readonly record struct WriteCell(Location Location, CellWidth Width, long Value) : ICommand
{
    private static readonly CommandRow WriteByte = new("memory.write8", CommandKind.Effect);
    private static readonly CommandRow WriteHalf = new("memory.write16", CommandKind.Effect);
    private static readonly CommandRow WriteWord = new("memory.write32", CommandKind.Effect);

    /// <inheritdoc/>
    public CommandRow Row => Width switch { CellWidth.Byte => WriteByte, CellWidth.Half => WriteHalf, _ => WriteWord };

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Location.WriteTo(ref head);
        head.Integer(Value);
    }
}
