using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

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
