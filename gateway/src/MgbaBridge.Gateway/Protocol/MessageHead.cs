using System.Buffers.Text;

namespace MgbaBridge.Gateway.Protocol;

/// <summary>The parts every message from the script has, read from its head.</summary>
/// <param name="Kind">What it is; when <see cref="MessageKind.Foreign"/> nothing else is set.</param>
/// <param name="Id">The request's id, or the event's number.</param>
/// <param name="HasTail">Whether raw bytes follow the head.</param>
/// <param name="TailLength">How many.</param>
/// <param name="Frame">The script's count of frames.</param>
/// <param name="Epoch">Changes when the script or the game changes.</param>
/// <param name="BodyStart">Where in the head the rest begins: values of a reply, code of a refusal, topic of an event.</param>
public readonly record struct MessageHead(
    MessageKind Kind, long Id, bool HasTail, long TailLength, long Frame, uint Epoch, int BodyStart)
{
    private const int EpochDigits = 8;

    /// <summary>Reads a head. Anything that is not exactly of the form is <see cref="MessageKind.Foreign"/>.</summary>
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
            : word.SequenceEqual("error"u8) ? MessageKind.Refusal
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

    private static bool TryEpoch(ReadOnlySpan<byte> head, ref int at, out uint epoch)
    {
        epoch = 0;
        if (head.Length - at < EpochDigits
            || !Utf8Parser.TryParse(head.Slice(at, EpochDigits), out epoch, out var used, 'x') || used != EpochDigits)
        {
            return false;
        }

        at += EpochDigits;
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

/// <summary>What a received head is.</summary>
public enum MessageKind
{
    /// <summary>Not a message of version 2: a legacy script, or another program.</summary>
    Foreign,

    /// <summary><c>#id[+n] frame epoch ok …</c></summary>
    Reply,

    /// <summary><c>#id frame epoch error code "detail" …</c></summary>
    Refusal,

    /// <summary><c>!n[+n] frame epoch topic …</c></summary>
    Event,
}

/// <summary>What a look at the received bytes found.</summary>
public enum MessageStatus
{
    /// <summary>The head has not ended yet: receive more.</summary>
    Incomplete,

    /// <summary>A whole head is there.</summary>
    Complete,

    /// <summary>The head is over the limit, and where the next message starts cannot be known.</summary>
    TooLong,
}
