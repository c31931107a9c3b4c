using System.Buffers;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>Commands that run in order between the same two frames, as they stand on the wire.</summary>
public sealed class BatchItems
{
    private readonly ArrayBufferWriter<byte> _bytes = new();
    private readonly List<(ItemForm Form, NumberType Type)> _forms = [];

    /// <summary>The tail that they make.</summary>
    public ReadOnlySequence<byte> Bytes => new(_bytes.WrittenMemory);

    /// <summary>What the result of each says.</summary>
    public IReadOnlyList<(ItemForm Form, NumberType Type)> Forms => _forms;

    /// <summary>Adds one.</summary>
    public void Add<TCommand>(in TCommand command, ItemForm form = ItemForm.Done, NumberType type = NumberType.U32)
        where TCommand : struct, ICommand
    {
        var tail = command.Tail;
        var head = new HeadWriter(_bytes, tail?.Length);
        head.Word(command.Row.Utf8Name);
        command.WriteArguments(ref head);
        head.End();
        foreach (var part in tail ?? ReadOnlySequence<byte>.Empty)
        {
            _bytes.Write(part.Span);
        }

        _forms.Add((form, type));
    }
}
