using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Of a batch: goes on only if a number in memory compares so.</summary>
/// <param name="Width">How wide it is.</param>
/// <param name="Location">Where it is.</param>
/// <param name="Comparison">How it compares, unsigned.</param>
/// <param name="Value">With what.</param>
public readonly record struct GuardNumber(CellWidth Width, Location Location, Comparison Comparison, long Value) : ICommand
{
    private static readonly CommandRow ByteRow = new("guard8", CommandKind.Read);
    private static readonly CommandRow HalfRow = new("guard16", CommandKind.Read);
    private static readonly CommandRow WordRow = new("guard32", CommandKind.Read);

    /// <inheritdoc/>
    public CommandRow Row => Width switch { CellWidth.Byte => ByteRow, CellWidth.Half => HalfRow, _ => WordRow };

    /// <inheritdoc/>
    public Lane Lane => Lane.Interactive;

    /// <inheritdoc/>
    public ReadOnlySequence<byte>? Tail => null;

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Location.WriteTo(ref head);
        head.Word(Comparison.Word());
        head.Integer(Value);
    }
}
