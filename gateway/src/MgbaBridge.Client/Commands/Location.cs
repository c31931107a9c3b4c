using System.Globalization;
using System.Text;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Commands;

/// <summary>A location in memory: an address on the game's bus, or an offset in a domain. The script checks the range.</summary>
/// <param name="Domain">A domain's id such as <c>wram</c>, or null for the bus.</param>
/// <param name="Offset">The address or offset.</param>
public readonly record struct Location(string? Domain, long Offset)
{
    /// <summary>The most bytes that <see cref="Format"/> writes.</summary>
    public const int MaxText = MaxDomain + 1 + 2 + 16;

    /// <summary>The format of locations.</summary>
    public const string ExpectedFormat = "A location is an address such as 0x02000000 or 33554432, or an offset in a domain such as wram:0x10.";

    private const int MaxDomain = 32;

    /// <summary>Creates a location on the bus.</summary>
    public static Location Bus(long address) => new(null, address);

    /// <summary>Reads <c>0x02000000</c>, <c>33554432</c> or <c>wram:0x10</c>.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out Location location)
    {
        location = default;
        string? domain = null;
        var colon = text.IndexOf(':');
        if (colon >= 0)
        {
            if (!IsDomain(text[..colon]))
            {
                return false;
            }

            domain = text[..colon].ToString();
            text = text[(colon + 1)..];
        }

        if (!TryNumber(text, out var offset))
        {
            return false;
        }

        location = new Location(domain, offset);
        return true;
    }

    /// <summary>Writes the location as one argument.</summary>
    public void WriteTo(ref HeadWriter head)
    {
        if (Domain is null)
        {
            head.Integer(Offset);
            return;
        }

        Span<byte> word = stackalloc byte[MaxDomain + 1 + 20];
        var length = Encoding.ASCII.GetBytes(Domain, word);
        word[length++] = (byte)':';
        Offset.TryFormat(word[length..], out var digits, default, CultureInfo.InvariantCulture);
        head.Word(word[..(length + digits)]);
    }

    /// <summary>Writes the location as a named argument.</summary>
    public void WriteTo(ref HeadWriter head, scoped ReadOnlySpan<byte> name)
    {
        Span<byte> text = stackalloc byte[MaxText];
        head.NamedWord(name, text[..Format(text)]);
    }

    /// <summary>Writes the location as text, <c>0x02000000</c> or <c>wram:0x10</c>, and returns its length.</summary>
    public int Format(Span<byte> target)
    {
        var length = 0;
        if (Domain is not null)
        {
            length = Encoding.ASCII.GetBytes(Domain, target);
            target[length++] = (byte)':';
        }

        "0x"u8.CopyTo(target[length..]);
        length += 2;
        Offset.TryFormat(target[length..], out var digits, Domain is null ? "X8" : "X", CultureInfo.InvariantCulture);
        return length + digits;
    }

    public override string ToString()
    {
        Span<byte> text = stackalloc byte[MaxText];
        return Encoding.ASCII.GetString(text[..Format(text)]);
    }

    private static bool TryNumber(ReadOnlySpan<char> text, out long number) =>
        text.StartsWith("0x", StringComparison.OrdinalIgnoreCase)
            ? long.TryParse(text[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number) && number >= 0
            : long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);

    private static bool IsDomain(ReadOnlySpan<char> text)
    {
        foreach (var letter in text)
        {
            if (!char.IsAsciiLetterOrDigit(letter) && letter != '_')
            {
                return false;
            }
        }

        return text.Length is > 0 and <= MaxDomain;
    }
}
