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
