namespace MgbaBridge.Gateway.Names;

/// <summary>Reads symbols from what linkers write. What it is shows in its first bytes.</summary>
public static class SymbolFile
{
    /// <summary>Reads an ELF file, a map of GNU ld, or a list of addresses and names.</summary>
    /// <exception cref="NameFormatException">It is none of these, or damaged.</exception>
    public static SymbolTable Read(ReadOnlySpan<byte> bytes)
    {
        var table = bytes.StartsWith(ElfFile.Magic) ? new SymbolTable("elf", ElfFile.Read(bytes))
            : bytes.IndexOf(GnuMap.Title) >= 0 ? new SymbolTable("map", GnuMap.Read(bytes))
            : new SymbolTable("sym", SymText.Read(bytes));
        return table.All.Count > 0 ? table : throw new NameFormatException(1, 1, "There is no symbol in it.");
    }
}
