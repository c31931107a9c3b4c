using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>
/// A list with a symbol a line: <c>02000008 frame_counter</c> as no$gba and nm write it, or <c>01:D123 wPlayerHP</c>, with a bank, as RGBDS does.
/// A semicolon begins a comment.
/// </summary>
internal static class SymText
{
    private const string ExpectedFormat = "A line is an address in hex and a name, as in 02000008 frame_counter, or a bank, an address and a name, as in 01:D123 wPlayerHP.";

    public static List<Symbol> Read(ReadOnlySpan<byte> file)
    {
        var found = new SymbolList();
        var lines = new TextLines(file);
        while (lines.Read())
        {
            var comment = lines.Line.IndexOf((byte)';');
            var text = comment < 0 ? lines.Line : lines.Line[..comment];
            if (text.Length > NameLimits.Line)
            {
                throw new NameFormatException(lines.Number, NameLimits.Line + 1, $"The line has {text.Length} bytes; the limit is {NameLimits.Line}.");
            }

            var line = Encoding.UTF8.GetString(text);
            var words = line.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries);

            // no$gba marks data with names such as .byt:0004
            if (words.Length > 0 && words[^1][0] is not ('.' or '['))
            {
                found.Add(words[^1], Parse(words, line, lines.Number), lines.Number);
            }
        }

        return found.All;
    }

    private static Location Parse(string[] words, string line, int number)
    {
        // between address and name nm says what it is, in one letter
        var wellFormed = words.Length == 2 || (words.Length == 3 && words[1].Length == 1);
        if (wellFormed && TryLocate(words[0], out var place))
        {
            return place;
        }

        throw new NameFormatException(number, line.IndexOf(words[0], StringComparison.Ordinal) + 1, ExpectedFormat);
    }

    private static bool TryLocate(string text, out Location place)
    {
        var colon = text.IndexOf(':', StringComparison.Ordinal);
        var bank = 0u;
        var valid = colon < 0 || TryHex(text.AsSpan(0, colon), out bank);
        valid &= TryHex(text.AsSpan(colon + 1), out var address);
        place = (bank, address) switch
        {
            ( > 0, >= 0x4000 and < 0x8000) => new Location("cart0", (bank * 0x4000L) + address - 0x4000),
            ( > 0, >= 0xA000 and < 0xC000) => new Location("sram", (bank * 0x2000L) + address - 0xA000),
            ( > 0, >= 0xD000 and < 0xE000) => new Location("wram", (bank * 0x1000L) + address - 0xD000),
            _ => Location.Bus(address),
        };
        return valid;
    }

    private static bool TryHex(ReadOnlySpan<char> text, out uint number)
    {
        text = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) ? text[2..] : text;
        return uint.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number);
    }
}

/// <summary>The map that GNU ld writes with <c>-Map</c>. It has global symbols only, and no sizes.</summary>
internal static partial class GnuMap
{
    /// <summary>By what it is known.</summary>
    public static ReadOnlySpan<byte> Title => "Linker script and memory map"u8;

    public static List<Symbol> Read(ReadOnlySpan<byte> file)
    {
        var found = new SymbolList();
        var start = file.IndexOf(Title);
        var before = file[..start].Count((byte)'\n');
        var lines = new TextLines(file[start..]);
        while (lines.Read())
        {
            // a line that is too long has more than a name
            if (lines.Line.Length > NameLimits.Line)
            {
                continue;
            }

            // an address and a name on a line of their own; sections have a size and a file behind, assignments an expression
            if (SymbolLine().Match(Encoding.UTF8.GetString(lines.Line)) is { Success: true } match
                && uint.TryParse(match.Groups[1].ValueSpan.TrimStart('0'), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var address))
            {
                found.Add(match.Groups[2].Value, Location.Bus(address), before + lines.Number);
            }
        }

        return found.All;
    }

    [GeneratedRegex(@"^\s+0x([0-9a-fA-F]{1,16})\s+([A-Za-z_][\w.$]*)(?:\s+=.*)?$", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex SymbolLine();
}

/// <summary>Walks over the lines of a text.</summary>
internal ref struct TextLines(ReadOnlySpan<byte> text)
{
    private ReadOnlySpan<byte> _rest = text;

    /// <summary>The present line, without its end.</summary>
    public ReadOnlySpan<byte> Line { get; private set; }

    /// <summary>Its number, from 1.</summary>
    public int Number { get; private set; }

    /// <summary>Goes to the next line.</summary>
    public bool Read()
    {
        if (_rest.IsEmpty)
        {
            return false;
        }

        var end = _rest.IndexOf((byte)'\n');
        Line = (end < 0 ? _rest : _rest[..end]).TrimEnd((byte)'\r');
        _rest = end < 0 ? default : _rest[(end + 1)..];
        Number++;
        return true;
    }
}
