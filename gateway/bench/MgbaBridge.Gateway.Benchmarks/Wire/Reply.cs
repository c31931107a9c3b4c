using System.Buffers.Text;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>One message from the script. <c>Id</c> and <c>TailLength</c> are 0 in the legacy dialect.</summary>
internal readonly record struct Reply(long Id, bool IsOk, long Value, int HeadLength, long TailLength)
{
    private static ReadOnlySpan<byte> Terminator => "<|END|>"u8;

    /// <summary>Parses the head at the start of the bytes; false when it is incomplete. The tail follows it.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, Dialect dialect, out Reply reply)
    {
        var end = bytes.IndexOf(Terminator);
        if (end < 0)
        {
            reply = default;
            return false;
        }
        var head = bytes[..end];
        reply = dialect == Dialect.Version2 ? Version2(head) : Legacy(head);
        reply = reply with { HeadLength = end + Terminator.Length };
        return true;
    }

    // #17+16 4711 9f3a01c2 ok 5
    private static Reply Version2(ReadOnlySpan<byte> head)
    {
        if (head.Length < 2 || head[0] != '#' || !Utf8Parser.TryParse(head[1..], out long id, out var used))
        {
            return new Reply(-1, false, 0, 0, 0);
        }
        var rest = head[(used + 1)..];
        var tail = 0L;
        if (rest.Length > 0 && rest[0] == '+' && Utf8Parser.TryParse(rest[1..], out tail, out used))
        {
            rest = rest[(used + 1)..];
        }
        rest = Skip(Skip(rest));
        var isOk = rest.StartsWith(" ok"u8);
        var value = isOk && rest.Length > 4 && Utf8Parser.TryParse(rest[4..], out long number, out _) ? number : 0;
        return new Reply(id, isOk, value, 0, tail);
    }

    private static Reply Legacy(ReadOnlySpan<byte> head) =>
        Utf8Parser.TryParse(head, out long value, out var used) && used == head.Length ? new Reply(0, true, value, 0, 0) : new Reply(0, false, 0, 0, 0);

    /// <summary>Skips a word; the result starts with the space after it.</summary>
    private static ReadOnlySpan<byte> Skip(ReadOnlySpan<byte> text)
    {
        var space = text.Length > 0 ? text[1..].IndexOf((byte)' ') : -1;
        return space < 0 ? [] : text[(space + 1)..];
    }
}

/// <summary>The wire protocol, as in docs/protocol.md. Only version 2 has ids.</summary>
internal enum Dialect
{
    Version2,
    Legacy,
}
