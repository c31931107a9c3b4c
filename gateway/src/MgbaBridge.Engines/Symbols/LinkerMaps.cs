using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The map that GNU ld writes with <c>-Map</c>. It has global symbols only, and no sizes.</summary>
internal static partial class GnuMap
{
    /// <summary>By what it is known.</summary>
    public static ReadOnlySpan<byte> Title => "Linker script and memory map"u8;

    public static SymbolList Read(ReadOnlySpan<byte> file)
    {
        var found = new SymbolList();
        var start = file.IndexOf(Title);
        var before = file[..start].Count((byte)'\n');
        var lines = new TextLines(file[start..]);
        while (lines.Read())
        {
            // a line that is too long has more than a name
            if (lines.Line.Length > NameLimits.Line || AddressLine().Match(Encoding.UTF8.GetString(lines.Line)) is not { Success: true } match
                || NameOf(match.Groups["rest"].Value) is not { } name)
            {
                continue;
            }

            if (uint.TryParse(match.Groups["at"].ValueSpan.TrimStart('0'), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var address))
            {
                found.Add(name, Location.Bus(address), 0, before + lines.Number);
            }
            else
            {
                found.Leave("symbols at address 0 or beyond 32 bits");
            }
        }

        return found;
    }

    // behind the address of a section are its size and file; of a command of the script, its name and arguments
    private static string? NameOf(string rest) => Assignment().Match(rest) is { Success: true } assignment ? assignment.Groups["name"].Value
        : rest[0] is '_' or '(' || (char.IsAsciiLetter(rest[0]) && !Command().IsMatch(rest)) ? rest
        : null;

    [GeneratedRegex(@"^\s+0x(?<at>[0-9a-fA-F]{1,16})\s+(?!0x)(?<rest>\S.*?)\s*$", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex AddressLine();

    [GeneratedRegex(@"^(?:PROVIDE(?:_HIDDEN)? \()?(?<name>[A-Za-z_][\w.$]*)\s+=", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex Assignment();

    [GeneratedRegex(@"^\w+ \(", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex Command();
}

/// <summary>The map that aslink and sdld of SDCC and GBDK write.</summary>
internal static partial class AslinkMap
{
    /// <summary>By what it is known.</summary>
    public static ReadOnlySpan<byte> Title => "ASxxxx Linker"u8;

    public static SymbolList Read(ReadOnlySpan<byte> file)
    {
        var symbols = new List<(string Name, uint Value, int Line)>();
        var found = new SymbolList();
        var lines = new TextLines(file);
        while (lines.Read())
        {
            var line = lines.Line.Length > NameLimits.Line ? "" : Encoding.UTF8.GetString(lines.Line);
            if (SymbolLine().Match(line) is { Success: true } match)
            {
                symbols.Add((match.Groups["name"].Value, uint.Parse(match.Groups["at"].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture), lines.Number));
            }
            else if (line.Contains(" bytes (", StringComparison.Ordinal))
            {
                found.Leave(NoiFile.Areas);
            }
        }

        NoiFile.Add(found, symbols);
        return found;
    }

    [GeneratedRegex(@"^\s+(?:[A-Z]:\s+)?(?<at>[0-9a-fA-F]{4,8})\s+(?<name>[^\s=]+)(?:\s+[^\s=]+)?\s*$", RegexOptions.CultureInvariant, 1_000)]
    private static partial Regex SymbolLine();
}

/// <summary>The symbols that GBDK's linker writes for emulators: <c>DEF _main 0x200</c>.</summary>
internal static partial class NoiFile
{
    /// <summary>What the linker itself defines.</summary>
    public const string Areas = "areas of the linker";

    /// <summary>Whether its first line that is no comment is of this form.</summary>
    public static bool Is(ReadOnlySpan<byte> file)
    {
        var lines = new TextLines(file);
        while (lines.Read())
        {
            if (!lines.Line.IsEmpty && lines.Line[0] != (byte)';')
            {
                return lines.Line.StartsWith("DEF "u8) || lines.Line.StartsWith("LOAD "u8);
            }
        }

        return false;
    }

    public static SymbolList Read(ReadOnlySpan<byte> file)
    {
        var symbols = new List<(string Name, uint Value, int Line)>();
        var found = new SymbolList();
        var lines = new TextLines(file);
        while (lines.Read())
        {
            var line = lines.Line.Length > NameLimits.Line ? "" : Encoding.UTF8.GetString(lines.Line);
            if (SymbolLine().Match(line) is { Success: true } match)
            {
                symbols.Add((match.Groups["name"].Value, uint.Parse(match.Groups["at"].ValueSpan, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture), lines.Number));
            }
            else if (line.StartsWith("DEF ", StringComparison.Ordinal))
            {
                throw new NameFormatException(lines.Number, 1, "A line is DEF, a name and an address in hex, as in DEF _main 0x200.");
            }
            else if (line.AsSpan().Trim().Length > 0 && line[0] != ';')
            {
                found.Leave("lines without DEF");
            }
        }

        Add(found, symbols);
        return found;
    }

    /// <summary>Adds what the programs define. The bank of an address is above its 16 bits.</summary>
    public static void Add(SymbolList found, IReadOnlyList<(string Name, uint Value, int Line)> symbols)
    {
        // of each area the linker defines start and length
        var names = symbols.Select(symbol => symbol.Name).ToHashSet(StringComparer.Ordinal);
        foreach (var (name, value, line) in symbols)
        {
            if (name is ['.', ..] || (name is ['s' or 'l', '_', ..] && names.Contains($"s{name.AsSpan(1)}") && names.Contains($"l{name.AsSpan(1)}")))
            {
                found.Leave(Areas);
            }
            else
            {
                found.Add(name, SymText.InBank(value >> 16, value & 0xFFFF), 0, line);
            }
        }
    }

    [GeneratedRegex(@"^DEF\s+(?<name>\S+)\s+0x(?<at>[0-9a-fA-F]{1,8})\s*$", RegexOptions.CultureInvariant, 1_000)]
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
