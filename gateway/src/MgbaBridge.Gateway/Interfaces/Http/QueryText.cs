using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.WebUtilities;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Decodes the value of a query parameter to bytes: <c>+</c> is a space, <c>%XX</c> a byte, anything else itself.</summary>
internal static class QueryText
{
    private const int MaxBytesPerCharacter = 3;

    /// <summary>The value of a parameter as a query has it, or null for none.</summary>
    public static string? EncodedIn(string? query, string name)
    {
        foreach (var pair in new QueryStringEnumerable(query))
        {
            if (pair.EncodedName.Span.Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return pair.EncodedValue.ToString();
            }
        }

        return null;
    }

    /// <summary>The buffer size that suffices for any value of this many characters.</summary>
    public static int MaxBytes(int characters) => characters * MaxBytesPerCharacter;

    /// <summary>Decodes a value. A <c>%</c> without two hex digits is kept as it is.</summary>
    public static int Decode(ReadOnlySpan<char> encoded, Span<byte> target)
    {
        var written = 0;
        while (!encoded.IsEmpty)
        {
            var plain = encoded.IndexOfAny('+', '%');
            var run = plain < 0 ? encoded : encoded[..plain];
            written += Encoding.UTF8.GetBytes(run, target[written..]);
            if (plain < 0)
            {
                break;
            }

            encoded = encoded[plain..];
            target[written++] = DecodeOne(ref encoded);
        }

        return written;
    }

    private static byte DecodeOne(ref ReadOnlySpan<char> encoded)
    {
        if (encoded is ['%', _, _, ..]
            && byte.TryParse(encoded.Slice(1, 2), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value))
        {
            encoded = encoded[3..];
            return value;
        }

        var letter = encoded[0];
        encoded = encoded[1..];
        return letter == '+' ? (byte)' ' : (byte)'%';
    }
}
