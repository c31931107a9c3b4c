using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>
/// A list with a symbol a line, as RGBDS, WLA-DX, no$gba, armips, nm and the decompilations of GBA games write it. A semicolon begins a comment.
/// </summary>
internal static partial class SymText
{
    private const string ExpectedFormat = "A line is an address in hex and a name, as in 02000008 frame_counter, or a bank, an address and a name, as in 01:D123 wPlayerHP. "
        + "Between address and name may be what nm and objdump write there: a letter, a size in hex, or both.";

    private const string Directives = "directives of an assembler, such as .byt:0004";
    private const string Undefined = "names without an address";
    private const string Boot = "symbols of the boot ROM";

    public static SymbolList Read(ReadOnlySpan<byte> file)
    {
        var found = new SymbolList();
        var banked = HasBanks(file);
        var section = "";
        var lines = new TextLines(file);
        while (lines.Read())
        {
            var comment = lines.Line.IndexOf((byte)';');
            var text = comment < 0 ? lines.Line : lines.Line[..comment];
            if (text.Length > NameLimits.Line)
            {
                throw new NameFormatException(lines.Number, NameLimits.Line + 1, $"The line has {text.Length} bytes; the limit is {NameLimits.Line}.");
            }

            var line = Encoding.UTF8.GetString(text).TrimEnd();
            if (line is ['[', .., ']'])
            {
                section = line[1..^1];
            }
            else if (section is not ("" or "labels" or "definitions"))
            {
                if (line.Length > 0)
                {
                    found.Leave($"lines of the section [{section}]");
                }
            }
            else if (line.AsSpan().Trim().Length > 0)
            {
                Add(found, line, lines.Number, section == "definitions" ? LineKind.Constant : banked && section.Length == 0 ? LineKind.Banked : LineKind.Place);
            }
        }

        return found;
    }

    /// <summary>A place in a bank of a Game Boy. Beyond the banks there are, an address on the bus.</summary>
    public static Location InBank(uint bank, uint address) => (bank, address) switch
    {
        ( > 0 and < 0x200, >= 0x4000 and < 0x8000) => new Location("cart0", (bank * 0x4000L) + address - 0x4000),
        (1, >= 0x8000 and < 0xA000) => new Location("vram", 0x4000L + address - 0x8000),
        ( < 0x10, >= 0xA000 and < 0xC000) => new Location("sram", (bank * 0x2000L) + address - 0xA000),
        ( > 0 and < 8, >= 0xD000 and < 0xE000) => new Location("wram", (bank * 0x1000L) + address - 0xD000),
        _ => Location.Bus(address),
    };

    private static void Add(SymbolList found, string line, int number, LineKind kind)
    {
        if (BankLine().Match(line) is { Success: true } banked)
        {
            if (banked.Groups["bank"].Value is "BOOT")
            {
                found.Leave(Boot);
            }
            else
            {
                found.Add(NameOf(banked), InBank(Hex(banked, "bank"), Hex(banked, "at")), 0, number);
            }
        }
        else if (AddressLine().Match(line) is not { Success: true } match)
        {
            if (!UndefinedLine().IsMatch(line))
            {
                throw new NameFormatException(number, line.Length - line.AsSpan().TrimStart().Length + 1, ExpectedFormat);
            }

            found.Leave(Undefined);
        }
        else if (kind == LineKind.Constant || (kind == LineKind.Banked && match.Groups["name"].ValueSpan is not ['.', ..]))
        {
            // RGBDS writes a constant without a bank; its numbers have a sign
            found.AddConstant(NameOf(match), unchecked((int)Hex(match, "at")), number);
        }
        else if (match.Groups["name"].ValueSpan is ['.', ..])
        {
            found.Leave(Directives);
        }
        else if (match.Groups["name"].ValueSpan is ['$', 'a' or 't' or 'd'] or ['$', 'a' or 't' or 'd', '.', ..])
        {
            found.Leave(ElfFile.Marks);
        }
        else
        {
            found.Add(NameOf(match), Location.Bus(Hex(match, "at")), match.Groups["size"].Success ? Hex(match, "size") : 0, number);
        }
    }

    // RGBDS writes letters beyond ASCII as numbers
    private static string NameOf(Match match) => EscapedLetter().Replace(match.Groups["name"].Value, static letter =>
        Rune.TryCreate(uint.Parse(letter.Groups[1].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture), out var rune) ? rune.ToString() : letter.Value);

    private static uint Hex(Match match, string group) => uint.Parse(match.Groups[group].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    private static bool HasBanks(ReadOnlySpan<byte> file)
    {
        var lines = new TextLines(file);
        while (lines.Read())
        {
            if (lines.Line.StartsWith("; File generated by rgblink"u8) || (lines.Line.Length <= NameLimits.Line && BankLine().IsMatch(Encoding.UTF8.GetString(lines.Line))))
            {
                return true;
            }
        }

        return false;
    }

    [GeneratedRegex(@"^\s*(?:0[xX])?(?<bank>BOOT|[0-9a-fA-F]{1,8}):(?:0[xX])?(?<at>[0-9a-fA-F]{1,8})\s+(?<name>\S+)$", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex BankLine();

    // nm: a letter, or a size and a letter; objdump: a letter and a size, with names of C++; else a name, to which armips adds a size
    [GeneratedRegex(
        @"^\s*(?:0[xX])?(?<at>[0-9a-fA-F]{1,8})\s+(?:(?<size>[0-9a-fA-F]{8})\s+[A-Za-z?]\s+(?<name>\S.*)|[A-Za-z!?]\s+(?:(?<size>[0-9a-fA-F]{8})\s+)?(?<name>\S.*)|(?<name>[^\s,]+)(?:,(?<size>[0-9a-fA-F]{1,8}))?)$",
        RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex AddressLine();

    [GeneratedRegex(@"^\s*[UuvVwW]\s+\S", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex UndefinedLine();

    [GeneratedRegex(@"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex EscapedLetter();

    private enum LineKind
    {
        Place,
        Banked,
        Constant,
    }
}
