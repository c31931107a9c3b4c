using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Client.Commands;

/// <summary>
/// Integers as people and programs write them. <c>30.0</c> and <c>3e1</c> are integers, too, as JSON Schema has it: programs whose numbers all have a
/// fraction write them. <c>30.5</c> is none.
/// </summary>
internal static class Integers
{
    // of a number that is not written as an integer
    private const int MaxText = 64;

    // of the greatest integer
    private const int MaxDigits = 19;

    /// <summary>Reads a text: decimal, or hexadecimal with <c>0x</c>.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out long value) => text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
        ? long.TryParse(text[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value)
        : TryParseDecimal(text, out value);

    /// <summary>Reads a decimal text.</summary>
    public static bool TryParseDecimal(ReadOnlySpan<char> text, out long value) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) || TryParseReal(text, out value);

    /// <summary>Reads the reader's present value.</summary>
    public static bool TryRead(ref Utf8JsonReader reader, out long value)
    {
        value = 0;
        if (reader.TokenType != JsonTokenType.Number)
        {
            return false;
        }

        if (reader.TryGetInt64(out value))
        {
            return true;
        }

        var length = reader.HasValueSequence ? reader.ValueSequence.Length : reader.ValueSpan.Length;
        if (length > MaxText)
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[(int)length];
        Span<char> text = stackalloc char[(int)length];
        if (reader.HasValueSequence)
        {
            reader.ValueSequence.CopyTo(bytes);
        }
        else
        {
            reader.ValueSpan.CopyTo(bytes);
        }

        Encoding.ASCII.GetChars(bytes, text);
        return TryParseReal(text, out value);
    }

    /// <summary>Reads a JSON value.</summary>
    public static bool TryRead(JsonElement element, out long value)
    {
        value = 0;
        return element.ValueKind == JsonValueKind.Number && (element.TryGetInt64(out value) || TryParseReal(element.GetRawText(), out value));
    }

    // a number with a fraction of zeros, or an exponent
    private static bool TryParseReal(ReadOnlySpan<char> text, out long value)
    {
        value = 0;
        var end = text.IndexOfAny('e', 'E');
        var scale = 0;
        if (text.Length is 0 or > MaxText || (end >= 0 && !int.TryParse(text[(end + 1)..], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out scale)))
        {
            return false;
        }

        var number = end < 0 ? text : text[..end];
        var isNegative = number.StartsWith('-');
        Span<char> digits = stackalloc char[MaxText];
        var count = 0;
        var isFraction = false;
        var hasDigit = false;
        foreach (var letter in isNegative ? number[1..] : number)
        {
            if (letter == '.' && hasDigit && !isFraction)
            {
                isFraction = true;
                continue;
            }

            if (!char.IsAsciiDigit(letter))
            {
                return false;
            }

            hasDigit = true;
            digits[count] = letter;
            count += count > 0 || letter != '0' ? 1 : 0;
            scale -= isFraction ? 1 : 0;
        }

        var significant = digits[..count].TrimEnd('0');
        scale += count - significant.Length;
        if (significant.IsEmpty)
        {
            return hasDigit;
        }

        if (scale < 0 || scale > MaxDigits || significant.Length + scale > MaxDigits)
        {
            return false;
        }

        var whole = Int128.Parse(significant, NumberStyles.None, CultureInfo.InvariantCulture);
        for (; scale > 0; scale--)
        {
            whole *= 10;
        }

        whole = isNegative ? -whole : whole;
        value = (long)whole;
        return whole >= long.MinValue && whole <= long.MaxValue;
    }
}

/// <summary>Integers of files in JSON: see <see cref="Integers"/>.</summary>
internal sealed class IntegerConverter : JsonConverter<long>
{
    /// <summary>What is wrong with another value.</summary>
    public const string ExpectedFormat = "it has to be an integer.";

    public override long Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        Integers.TryRead(ref reader, out var value) ? value : throw new JsonValueException(ExpectedFormat);

    public override void Write(Utf8JsonWriter writer, long value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}

/// <summary>Integers of 32 bits of files in JSON.</summary>
internal sealed class ShortIntegerConverter : JsonConverter<int>
{
    public override int Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        Integers.TryRead(ref reader, out var value) && value is >= int.MinValue and <= int.MaxValue ? (int)value : throw new JsonValueException(IntegerConverter.ExpectedFormat);

    public override void Write(Utf8JsonWriter writer, int value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}
