using System.Globalization;
using System.Text;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>
/// A list with a symbol a line: <c>02000008 frame_counter</c> as no$gba and nm write it, or <c>01:D123 wPlayerHP</c>, with a bank, as RGBDS does.
/// A semicolon begins a comment.
/// </summary>
internal static class SymText
{
    private const string Forms = "A line is an address in hex and a name, as in 02000008 frame_counter, or a bank, an address and a name, as in 01:D123 wPlayerHP.";

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
        if (wellFormed && TryPlace(words[0], out var place))
        {
            return place;
        }

        throw new NameFormatException(number, line.IndexOf(words[0], StringComparison.Ordinal) + 1, Forms);
    }

    private static bool TryPlace(string text, out Location place)
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
