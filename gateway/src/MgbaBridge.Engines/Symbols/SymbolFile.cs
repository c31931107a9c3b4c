using System.Text;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Reads symbols from what linkers write. What it is shows in its first bytes.</summary>
public static class SymbolFile
{
    /// <summary>Reads an ELF file, a map of GNU ld or aslink, a list of addresses and names, or GBDK's <c>.noi</c>.</summary>
    /// <exception cref="NameFormatException">It is none of these, or damaged.</exception>
    public static SymbolTable Read(ReadOnlySpan<byte> bytes)
    {
        if (!bytes.StartsWith(ElfFile.Magic))
        {
            return ReadText(Utf8Of(bytes));
        }

        var elf = new SymbolTable("elf", ElfFile.Read(bytes));
        return elf.All.Count > 0 ? elf : throw new NameFormatException(1, 1, "There is no symbol in it.");
    }

    private static SymbolTable ReadText(ReadOnlySpan<byte> text)
    {
        var (format, read) = text.IndexOf(AslinkMap.Title) >= 0 ? ("map", AslinkMap.Read(text))
            : text.IndexOf(GnuMap.Title) >= 0 ? ("map", GnuMap.Read(text))
            : NoiFile.Is(text) ? ("noi", NoiFile.Read(text))
            : ("sym", SymText.Read(text));
        return read.Places.Count + read.Constants.Count > 0 ? new SymbolTable(format, read)
            : throw new NameFormatException(1, 1, $"There is no symbol in it.{string.Concat(read.LeftOut.Select(left => $" Left out: {left.Count} {left.What}."))}");
    }

    // editors of Windows save UTF-16, and put a mark before UTF-8
    internal static ReadOnlySpan<byte> Utf8Of(ReadOnlySpan<byte> text) => text switch
    {
        [0xEF, 0xBB, 0xBF, ..] => text[3..],
        [0xFF, 0xFE, ..] => Encoding.UTF8.GetBytes(Encoding.Unicode.GetString(text[2..])),
        [0xFE, 0xFF, ..] => Encoding.UTF8.GetBytes(Encoding.BigEndianUnicode.GetString(text[2..])),
        [not 0, 0, ..] => Encoding.UTF8.GetBytes(Encoding.Unicode.GetString(text)),
        _ => text,
    };
}
