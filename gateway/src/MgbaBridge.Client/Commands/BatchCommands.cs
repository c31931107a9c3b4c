using System.Buffers;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>Commands that run in order between the same two frames, in wire format.</summary>
public sealed class BatchItems
{
    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly List<ItemResult> _results = [];

    /// <summary>Their tail on the wire.</summary>
    public ReadOnlySequence<byte> Bytes => new(_bytes.WrittenMemory);

    /// <summary>What the result of each is.</summary>
    public IReadOnlyList<ItemResult> Results => _results;

    /// <summary>Adds a command.</summary>
    public void Add<TCommand>(in TCommand command, ItemResultKind kind = ItemResultKind.Done, NumberType type = NumberType.U32)
        where TCommand : struct, ICommand<TCommand> => Add(command, new ItemResult(kind, type));

    /// <summary>Adds a command whose result is a response of its own.</summary>
    public void Add<TCommand>(in TCommand command, ItemResponse response)
        where TCommand : struct, ICommand<TCommand> => Add(command, new ItemResult(ItemResultKind.Response, default, response));

    private void Add<TCommand>(in TCommand command, ItemResult result)
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

        _results.Add(result);
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

    public CommandDescriptor Descriptor => Width switch { CellWidth.Byte => ByteDescriptor, CellWidth.Half => HalfDescriptor, _ => WordDescriptor };

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

    public CommandDescriptor Descriptor => GuardDescriptor;

    public static ReadOnlySequence<byte>? TailOf(in GuardBytes command) => new ReadOnlySequence<byte>(command.Bytes);

    public void WriteArguments(ref HeadWriter head) => Location.WriteTo(ref head);
}
