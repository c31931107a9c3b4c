using System.Buffers;

namespace MgbaBridge.Client.Protocol;

/// <summary>Finds messages in received bytes. It has no state between calls, so bytes may arrive in any pieces.</summary>
internal static class MessageReader
{
    /// <summary>
    /// Looks for the head at the start of <paramref name="buffer"/>, after white space. On <see cref="MessageStatus.Complete"/>
    /// <paramref name="head"/> is its text without terminator and <paramref name="next"/> is the first byte after the terminator:
    /// the tail if the head announces one.
    /// </summary>
    public static MessageStatus TryReadHead(
        in ReadOnlySequence<byte> buffer, int headLimit, out ReadOnlySequence<byte> head, out SequencePosition next)
    {
        var reader = new SequenceReader<byte>(buffer);
        reader.AdvancePastAny((byte)' ', (byte)'\n', (byte)'\r', (byte)'\t');
        next = reader.Position;
        if (reader.TryReadTo(out head, Wire.Terminator, advancePastDelimiter: true))
        {
            next = reader.Position;
            return head.Length > headLimit ? MessageStatus.TooLong : MessageStatus.Complete;
        }

        head = buffer.Slice(next);
        return head.Length >= headLimit + Wire.Terminator.Length ? MessageStatus.TooLong : MessageStatus.Incomplete;
    }
}

/// <summary>Constants of docs/protocol.md.</summary>
internal static class Wire
{
    /// <summary>The protocol version of this gateway.</summary>
    public const int Version = 3;

    /// <summary>The largest request id that a Lua number and a JavaScript number can represent exactly.</summary>
    public const long MaxId = (1L << 53) - 1;

    /// <summary>The first port that a script tries if none is configured.</summary>
    public const int FirstPort = 8888;

    /// <summary>How many ports it tries.</summary>
    public const int Ports = 16;

    /// <summary>The end of every head. It cannot occur inside one, because quoted strings escape the bar.</summary>
    public static ReadOnlySpan<byte> Terminator => "<|END|>"u8;
}
