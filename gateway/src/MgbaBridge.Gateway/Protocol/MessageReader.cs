using System.Buffers;

namespace MgbaBridge.Gateway.Protocol;

/// <summary>Finds messages in received bytes. Pure: it keeps nothing between calls, so bytes may arrive cut anywhere.</summary>
public static class MessageReader
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

/// <summary>What docs/protocol.md fixes once and for all.</summary>
public static class Wire
{
    /// <summary>The protocol version this gateway speaks.</summary>
    public const int Version = 2;

    /// <summary>The largest request id: what a Lua number and a JavaScript number both hold exactly.</summary>
    public const long MaxId = (1L << 53) - 1;

    /// <summary>Bytes a head may have without its terminator, unless hello said otherwise.</summary>
    public const int DefaultHeadLimit = 65_536;

    /// <summary>Bytes a tail may have, unless hello said otherwise.</summary>
    public const int DefaultTailLimit = 4_194_304;

    /// <summary>The first of the ports a script looks at when none was set.</summary>
    public const int FirstPort = 8888;

    /// <summary>The last of them.</summary>
    public const int LastPort = 8903;

    /// <summary><see cref="Terminator"/> as text.</summary>
    public const string TerminatorText = "<|END|>";

    /// <summary>What ends every head. It cannot occur inside one, because quoted strings escape the bar.</summary>
    public static ReadOnlySpan<byte> Terminator => "<|END|>"u8;
}
