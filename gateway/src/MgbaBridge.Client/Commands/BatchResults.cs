using System.Buffers.Text;
using System.Text.Json;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

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

    /// <summary>The response that <see cref="ItemResponse"/> makes of it.</summary>
    Response,
}

/// <summary>What the result of a batch's item is.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Type">Of a number: how it is read.</param>
/// <param name="Response">Of a response: what makes it.</param>
public readonly record struct ItemResult(ItemResultKind Kind, NumberType Type, ItemResponse? Response = null);

/// <summary>Makes the response of an item, which is that of the same command outside of a batch.</summary>
public abstract class ItemResponse
{
    /// <summary>The response, which does not need the reply any more.</summary>
    public abstract JsonElement Read(Reply reply);
}

/// <summary>Enumerates the results of a batch: <c>[+n ]ok {value}</c> or <c>error code "detail"</c>, each with its bytes.</summary>
/// <param name="results">The tail of the batch's reply.</param>
public ref struct ItemResults(ReadOnlyMemory<byte> results)
{
    private ReadOnlyMemory<byte> _rest = results;
    private ReadOnlySpan<byte> _values;

    /// <summary>Whether the current result is a success.</summary>
    public bool Ok { get; private set; }

    /// <summary>The text after <c>ok</c> or <c>error</c>.</summary>
    public readonly ValueReader Values => new(_values);

    /// <summary>Why the current result is no success; null for a success.</summary>
    public readonly CommandFailure? ToFailure()
    {
        if (Ok)
        {
            return null;
        }

        var values = Values;
        var code = values.Read() ? values.GetText() : "";
        var refused = ErrorCodes.Parse(code);
        return new CommandFailure(ErrorCodes.FailureOf(refused), values.Read() ? values.GetText() : code) { Code = refused, PartlyDone = true };
    }

    /// <summary>The bytes of the current result; empty for none.</summary>
    public ReadOnlyMemory<byte> Bytes { get; private set; }

    /// <summary>The current result as the reply to a command outside of a batch.</summary>
    public readonly Reply ToReply(long frame, Epoch epoch)
    {
        var reply = Reply.Answered(frame, epoch, _values, Bytes.Length);
        Bytes.CopyTo(reply.TailSpace);
        return reply;
    }

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
        _values = space < 0 ? default : head[space..];
        var start = end + Wire.Terminator.Length;
        Bytes = _rest.Slice(start, length);
        _rest = _rest[(start + length)..];
        return true;
    }
}
