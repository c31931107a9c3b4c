using System.Globalization;
using System.Numerics;
using System.Text;
using MgbaBridge.Gateway.Api.Operations;

namespace MgbaBridge.Gateway.Api.Http;

/// <summary>Integers in a query.</summary>
internal static class QueryNumber
{
    /// <summary>Reads an integer from 0 to <paramref name="most"/>, or the default when it is absent. False when the value is invalid.</summary>
    public static bool TryRead(HttpContext http, string name, int usual, int most, out int number)
    {
        number = usual;
        return !http.Request.Query.TryGetValue(name, out var text)
            || (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= most);
    }

    /// <summary>Reads an integer from 0 on, or null when it is absent. False when the value is invalid.</summary>
    public static bool TryRead<T>(HttpContext http, string name, out T? number)
        where T : struct, IBinaryInteger<T>
    {
        number = null;
        if (!http.Request.Query.TryGetValue(name, out var text))
        {
            return true;
        }

        var isNumber = T.TryParse(text.ToString(), NumberStyles.None, CultureInfo.InvariantCulture, out var value);
        number = value;
        return isNumber;
    }
}

/// <summary>Decodes the value of a query parameter to bytes: <c>+</c> is a space, <c>%XX</c> a byte, anything else itself.</summary>
internal static class QueryText
{
    private const int MaxBytesPerCharacter = 3;

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

/// <summary>The requested part of a list: <c>?offset=200&amp;limit=100</c>.</summary>
/// <param name="Offset">How many to leave out.</param>
/// <param name="Limit">The most to answer.</param>
internal readonly record struct Page(int Offset, int Limit)
{
    private const int Default = 100;

    /// <summary>The first one, as long as usual.</summary>
    public static Page First { get; } = new(0, Default);

    /// <summary>The parameter of how many to leave out.</summary>
    public static Parameter<int> OffsetParameter { get; } = Parameter.Integer("offset", 0, int.MaxValue, "How many to leave out.").Or(0);

    /// <summary>The parameter of the most to answer.</summary>
    public static Parameter<int> LimitParameter(int largest) => Parameter.Integer("limit", 0, largest, "The maximum number in the response.").Or(Default);

    /// <summary>The offset of the next one, or null behind the last.</summary>
    public int? Next(int shown, long all) => (long)Offset + shown < all ? Offset + shown : null;
}
