using System.Buffers;
using System.IO.Pipelines;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>Bytes as mGBA-http writes and reads them: <c>d3,00,ea</c>, and <c>[d3,00,ea]</c> in a body.</summary>
internal static class HexText
{
    private const int CharactersPerByte = 3;
    private const int Slice = 4_096 / CharactersPerByte;
    private const int SlicesPerFlush = 16;

    private enum Position
    {
        Before,
        Inside,
        After,
    }

    /// <summary>Answers with hex and waits while the caller reads slowly.</summary>
    public static async ValueTask WriteAsync(HttpContext http, ReadOnlyMemory<byte> bytes, string contentType)
    {
        var response = http.Response;
        response.ContentType = contentType;
        response.ContentLength = Math.Max(0, ((long)bytes.Length * CharactersPerByte) - 1);
        for (var slice = 1; bytes.Length > Slice; slice++)
        {
            Append(response.BodyWriter, bytes.Span[..Slice], isLast: false);
            bytes = bytes[Slice..];
            if (slice % SlicesPerFlush == 0)
            {
                await response.BodyWriter.FlushAsync(http.RequestAborted);
            }
        }

        Append(response.BodyWriter, bytes.Span, isLast: true);
        // once flushed, the server leaves the rest of a response of known length to us
        await response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    /// <summary>The maximum number of bytes that text of this length can represent.</summary>
    public static int MaxBytes(long characters) => (int)((characters + 1) / 2);

    /// <summary>Reads <c>[d3,00,ea]</c>. White space means nothing. False if it is not of that form or has no byte.</summary>
    public static bool TryRead(ReadOnlySequence<byte> text, Span<byte> target, out int length)
    {
        length = 0;
        var position = Position.Before;
        var number = -1;
        foreach (var segment in text)
        {
            foreach (var letter in segment.Span)
            {
                if (!char.IsWhiteSpace((char)letter) && !TryTake((char)letter, ref position, ref number, target, ref length))
                {
                    return false;
                }
            }
        }

        return position == Position.After && length > 0;
    }

    private static bool TryTake(char letter, ref Position position, ref int number, Span<byte> target, ref int length)
    {
        if (position != Position.Inside)
        {
            var begins = position == Position.Before && letter == '[';
            position = Position.Inside;
            return begins;
        }

        if (char.IsAsciiHexDigit(letter))
        {
            number = (Math.Max(number, 0) << 4) | ValueOf(letter);
            return number <= byte.MaxValue;
        }

        if (number >= 0)
        {
            target[length++] = (byte)number;
            number = -1;
        }

        position = letter == ']' ? Position.After : Position.Inside;
        return letter is ',' or ']';
    }

    private static void Append(PipeWriter writer, ReadOnlySpan<byte> bytes, bool isLast)
    {
        var space = writer.GetSpan(Math.Max(1, bytes.Length * CharactersPerByte));
        var at = 0;
        foreach (var value in bytes)
        {
            space[at] = Digit(value >> 4);
            space[at + 1] = Digit(value & 0xF);
            space[at + 2] = (byte)',';
            at += CharactersPerByte;
        }

        writer.Advance(isLast && at > 0 ? at - 1 : at);
    }

    private static int ValueOf(char digit) => digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;

    private static byte Digit(int value) => (byte)(value < 10 ? '0' + value : 'a' + value - 10);
}
