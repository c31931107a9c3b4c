using System.Buffers.Text;

namespace MgbaBridge.Client.Protocol;

/// <summary>The common parts of the head of a message from the script.</summary>
/// <param name="Kind">The kind; for <see cref="MessageKind.Foreign"/> nothing else is set.</param>
/// <param name="Id">The request's id, or the event's number.</param>
/// <param name="HasTail">Whether raw bytes follow the head.</param>
/// <param name="TailLength">The number of bytes.</param>
/// <param name="Frame">The script's frame count.</param>
/// <param name="Epoch">Changes when the script or the game changes.</param>
/// <param name="BodyStart">The start of the rest of the head: values of a reply, code of an error reply, topic of an event.</param>
internal readonly record struct MessageHead(
    MessageKind Kind, long Id, bool HasTail, long TailLength, long Frame, Epoch Epoch, int BodyStart)
{
    /// <summary>Parses a head. Text of any other form is <see cref="MessageKind.Foreign"/>.</summary>
    public static MessageHead Parse(ReadOnlySpan<byte> head)
    {
        var at = 1;
        if (head.IsEmpty || head[0] is not ((byte)'#' or (byte)'!') || !TryNumber(head, ref at, out var id))
        {
            return default;
        }

        var hasTail = at < head.Length && head[at] == (byte)'+';
        long tail = 0;
        if (hasTail)
        {
            at++;
            if (!TryNumber(head, ref at, out tail))
            {
                return default;
            }
        }

        if (!TrySpace(head, ref at) || !TryNumber(head, ref at, out var frame) || !TrySpace(head, ref at)
            || !TryEpoch(head, ref at, out var epoch) || !TrySpace(head, ref at))
        {
            return default;
        }

        var kind = head[0] == (byte)'!' ? MessageKind.Event : KindOf(head, ref at);
        return kind == MessageKind.Foreign ? default : new MessageHead(kind, id, hasTail, tail, frame, epoch, at);
    }

    private static MessageKind KindOf(ReadOnlySpan<byte> head, ref int at)
    {
        var word = head[at..];
        var end = word.IndexOf((byte)' ');
        word = end < 0 ? word : word[..end];
        at = end < 0 ? head.Length : at + end + 1;
        return word.SequenceEqual("ok"u8) ? MessageKind.Reply
            : word.SequenceEqual("error"u8) ? MessageKind.Failure
            : MessageKind.Foreign;
    }

    private static bool TryNumber(ReadOnlySpan<byte> head, ref int at, out long value)
    {
        var digits = head[at..];
        value = 0;
        if (digits.IsEmpty || !char.IsAsciiDigit((char)digits[0])
            || !Utf8Parser.TryParse(digits, out value, out var used) || value > Wire.MaxId)
        {
            return false;
        }

        at += used;
        return true;
    }

    private static bool TryEpoch(ReadOnlySpan<byte> head, ref int at, out Epoch epoch)
    {
        if (!Epoch.TryParse(head[at..], out epoch))
        {
            return false;
        }

        at += Epoch.Digits;
        return true;
    }

    private static bool TrySpace(ReadOnlySpan<byte> head, ref int at)
    {
        var start = at;
        while (at < head.Length && head[at] == (byte)' ')
        {
            at++;
        }

        return at > start;
    }
}

/// <summary>The kind of a received head.</summary>
internal enum MessageKind
{
    /// <summary>Not a message of version 2: sent by another program.</summary>
    Foreign,

    /// <summary><c>#id[+n] frame epoch ok …</c></summary>
    Reply,

    /// <summary><c>#id frame epoch error code "detail" …</c></summary>
    Failure,

    /// <summary><c>!n[+n] frame epoch topic …</c></summary>
    Event,
}

/// <summary>The result of looking for a message in the received bytes.</summary>
internal enum MessageStatus
{
    /// <summary>The head is incomplete.</summary>
    Incomplete,

    /// <summary>The head is complete.</summary>
    Complete,

    /// <summary>The head exceeds the limit.</summary>
    TooLong,
}
