using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Commands that run in order between the same two frames, in wire format.</summary>
public sealed class BatchItems
{
    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly List<(ItemResultKind Kind, NumberType Type)> _kinds = [];

    /// <summary>Their tail on the wire.</summary>
    public ReadOnlySequence<byte> Bytes => new(_bytes.WrittenMemory);

    /// <summary>The kind of each result.</summary>
    public IReadOnlyList<(ItemResultKind Kind, NumberType Type)> ResultKinds => _kinds;

    /// <summary>Adds a command.</summary>
    public void Add<TCommand>(in TCommand command, ItemResultKind kind = ItemResultKind.Done, NumberType type = NumberType.U32)
        where TCommand : struct, ICommand<TCommand>
    {
        var tail = TCommand.TailOf(command);
        var head = new HeadWriter(_bytes, tail?.Length);
        head.Word(command.Descriptor.Utf8Name);
        command.WriteArguments(ref head);
        head.End();
        foreach (var part in tail ?? ReadOnlySequence<byte>.Empty)
        {
            _bytes.Write(part.Span);
        }

        _kinds.Add((kind, type));
    }
}

/// <summary>A guard of a batch: the batch runs only if a number in memory compares as given.</summary>
/// <param name="Width">The width of the number.</param>
/// <param name="Location">The location.</param>
/// <param name="Comparison">The comparison, unsigned.</param>
/// <param name="Value">The other operand.</param>
public readonly record struct GuardNumber(CellWidth Width, Location Location, Comparison Comparison, long Value) : ICommand<GuardNumber>
{
    private static readonly CommandDescriptor ByteDescriptor = new("guard8", CommandKind.Read);
    private static readonly CommandDescriptor HalfDescriptor = new("guard16", CommandKind.Read);
    private static readonly CommandDescriptor WordDescriptor = new("guard32", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => Width switch { CellWidth.Byte => ByteDescriptor, CellWidth.Half => HalfDescriptor, _ => WordDescriptor };

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head)
    {
        Location.WriteTo(ref head);
        head.Word(Comparison.Word());
        head.Integer(Value);
    }
}

/// <summary>A guard of a batch: the batch runs only if memory contains these bytes.</summary>
/// <param name="Location">Where they start.</param>
/// <param name="Bytes">The bytes.</param>
public readonly record struct GuardBytes(Location Location, ReadOnlyMemory<byte> Bytes) : ICommand<GuardBytes>
{
    private static readonly CommandDescriptor GuardDescriptor = new("guard", CommandKind.Read);

    /// <inheritdoc/>
    public CommandDescriptor Descriptor => GuardDescriptor;

    /// <inheritdoc/>
    public static ReadOnlySequence<byte>? TailOf(in GuardBytes command) => new ReadOnlySequence<byte>(command.Bytes);

    /// <inheritdoc/>
    public void WriteArguments(ref HeadWriter head) => Location.WriteTo(ref head);
}
