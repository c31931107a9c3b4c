using System.Buffers.Text;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Commands;

/// <summary>The kind of a batch item's result.</summary>
public enum ItemResultKind
{
    /// <summary>Success without a value.</summary>
    Done,

    /// <summary>A number.</summary>
    Number,

    /// <summary>Raw bytes.</summary>
    Bytes,

    /// <summary>The frames of a press.</summary>
    Press,
}

/// <summary>Enumerates the results of a batch: <c>[+n ]ok {value}</c> or <c>error code "detail"</c>, each with its bytes.</summary>
/// <param name="results">The tail of the batch's reply.</param>
public ref struct ItemResults(ReadOnlyMemory<byte> results)
{
    private ReadOnlyMemory<byte> _rest = results;

    /// <summary>Whether the current result is a success.</summary>
    public bool Ok { get; private set; }

    /// <summary>The text after <c>ok</c> or <c>error</c>.</summary>
    public ValueReader Values { get; private set; }

    /// <summary>The bytes of the current result; empty for none.</summary>
    public ReadOnlyMemory<byte> Bytes { get; private set; }

    /// <summary>Advances to the next result.</summary>
    public bool Read()
    {
        var end = _rest.Span.IndexOf(Wire.Terminator);
        if (end < 0)
        {
            return false;
        }

        var head = _rest.Span[..end].TrimStart((byte)' ');
        var length = 0;
        if (head is [(byte)'+', ..] && Utf8Parser.TryParse(head[1..], out length, out var digits))
        {
            head = head[(1 + digits)..].TrimStart((byte)' ');
        }

        Ok = head.StartsWith("ok"u8);
        var space = head.IndexOf((byte)' ');
        Values = new ValueReader(space < 0 ? default : head[space..]);
        var start = end + Wire.Terminator.Length;
        Bytes = _rest.Slice(start, length);
        _rest = _rest[(start + length)..];
        return true;
    }
}
