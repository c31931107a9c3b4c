using System.Globalization;
using System.Numerics;
using System.Text;

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

    /// <summary>Reads it. Returns what is wrong with it, or null.</summary>
    public static string? Read(HttpContext http, int largest, out Page page)
    {
        var isRead = QueryNumber.TryRead(http, "offset", 0, int.MaxValue, out var offset) & QueryNumber.TryRead(http, "limit", Default, largest, out var limit);
        page = new Page(offset, limit);
        return isRead ? null : Hint(largest);
    }

    /// <summary>Makes it of numbers. Returns what is wrong with them, or null.</summary>
    public static string? Make(int offset, int limit, int largest, out Page page)
    {
        page = new Page(offset, limit);
        return offset >= 0 && limit >= 0 && limit <= largest ? null : Hint(largest);
    }

    /// <summary>What the API's document says about it.</summary>
    public static Input[] Inputs(int largest) =>
    [
        new Input("offset", "How many to leave out, 0 unless given.", "0") { IsInteger = true },
        new Input("limit", $"The maximum number in the response, 0 to {largest}; {Default} unless given.", "100") { IsInteger = true },
    ];

    /// <summary>The offset of the next one, or null behind the last.</summary>
    public int? Next(int shown, long all) => (long)Offset + shown < all ? Offset + shown : null;

    private static string Hint(int largest) => $"offset is 0 or more, limit 0 to {largest}.";
}
