using System.Buffers;

namespace MgbaBridge.Client.Protocol;

/// <summary>The escapes of a quoted string: <c>\\ \" \n \r \t \xHH</c>, so that a string can contain any byte.</summary>
internal static class QuotedText
{
    /// <summary>The maximum number of bytes for one byte of text.</summary>
    public const int MaxGrowth = 4;

    private static readonly SearchValues<byte> Special = SearchValues.Create(SpecialBytes());

    /// <summary>Writes <paramref name="text"/> escaped, without the quotes. <paramref name="target"/> needs space for
    /// <see cref="MaxGrowth"/> times the text.</summary>
    public static int Escape(ReadOnlySpan<byte> text, Span<byte> target)
    {
        var written = 0;
        while (true)
        {
            var plain = text.IndexOfAny(Special);
            var run = plain < 0 ? text : text[..plain];
            run.CopyTo(target[written..]);
            written += run.Length;
            if (plain < 0)
            {
                return written;
            }

            written += EscapeByte(text[plain], target[written..]);
            text = text[(plain + 1)..];
        }
    }

    /// <summary>Unescapes. <paramref name="target"/> needs at most the length of <paramref name="quoted"/>.</summary>
    /// <returns>False for an unknown escape.</returns>
    public static bool TryUnescape(ReadOnlySpan<byte> quoted, Span<byte> target, out int written)
    {
        written = 0;
        while (true)
        {
            var slash = quoted.IndexOf((byte)'\\');
            var run = slash < 0 ? quoted : quoted[..slash];
            run.CopyTo(target[written..]);
            written += run.Length;
            if (slash < 0)
            {
                return true;
            }

            if (!TryUnescapeByte(quoted[(slash + 1)..], out target[written], out var used))
            {
                return false;
            }

            written++;
            quoted = quoted[(slash + 1 + used)..];
        }
    }

    private static int EscapeByte(byte value, Span<byte> target)
    {
        target[0] = (byte)'\\';
        switch (value)
        {
            case (byte)'\\' or (byte)'"': target[1] = value; return 2;
            case (byte)'\n': target[1] = (byte)'n'; return 2;
            case (byte)'\r': target[1] = (byte)'r'; return 2;
            case (byte)'\t': target[1] = (byte)'t'; return 2;
        }

        target[1] = (byte)'x';
        target[2] = HexDigit(value >> 4);
        target[3] = HexDigit(value & 0xF);
        return 4;
    }

    private static bool TryUnescapeByte(ReadOnlySpan<byte> escape, out byte value, out int used)
    {
        value = 0;
        used = 1;
        if (escape.IsEmpty)
        {
            return false;
        }

        switch (escape[0])
        {
            case (byte)'\\' or (byte)'"': value = escape[0]; return true;
            case (byte)'n': value = (byte)'\n'; return true;
            case (byte)'r': value = (byte)'\r'; return true;
            case (byte)'t': value = (byte)'\t'; return true;
            case (byte)'x' when escape.Length >= 3 && HexValue(escape[1]) is >= 0 and var high && HexValue(escape[2]) is >= 0 and var low:
                value = (byte)((high << 4) | low);
                used = 3;
                return true;
            default: return false;
        }
    }

    private static byte HexDigit(int value) => (byte)(value < 10 ? '0' + value : 'a' + value - 10);

    private static int HexValue(byte digit) => (char)digit switch
    {
        >= '0' and <= '9' => digit - '0',
        >= 'a' and <= 'f' => digit - 'a' + 10,
        >= 'A' and <= 'F' => digit - 'A' + 10,
        _ => -1,
    };

    private static byte[] SpecialBytes() =>
        [.. Enumerable.Range(0, 0x20).Select(value => (byte)value), 0x7F, (byte)'"', (byte)'\\', (byte)'|'];
}
