using System.Collections.Frozen;
using System.Text;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Symbols;

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

/// <summary>A name that the game's makers gave to a place.</summary>
/// <param name="Name">The name.</param>
/// <param name="Location">The place.</param>
/// <param name="Size">How many bytes it has; 0 where that is not known.</param>
public readonly record struct Symbol(string Name, Location Location, long Size);

/// <summary>The symbols of a game. Of two with one name the first counts.</summary>
public sealed class SymbolTable
{
    // of a symbol in the list and in the dictionary, and of a string
    private const int Overhead = 128;

    private readonly FrozenDictionary<string, Symbol> _byName;

    /// <summary>Makes a table.</summary>
    public SymbolTable(string format, IEnumerable<Symbol> symbols)
    {
        Format = format;
        _byName = symbols.DistinctBy(symbol => symbol.Name).ToFrozenDictionary(symbol => symbol.Name, StringComparer.Ordinal);
        All = [.. _byName.Values.OrderBy(symbol => symbol.Location.Domain, StringComparer.Ordinal).ThenBy(symbol => symbol.Location.Offset).ThenBy(symbol => symbol.Name, StringComparer.Ordinal)];
        Memory = All.Sum(symbol => Overhead + (sizeof(char) * (long)symbol.Name.Length));
    }

    /// <summary>What file it was: <c>elf</c>, <c>map</c> or <c>sym</c>.</summary>
    public string Format { get; }

    /// <summary>About how many bytes it takes.</summary>
    public long Memory { get; }

    /// <summary>All, by place.</summary>
    public IReadOnlyList<Symbol> All { get; }

    /// <summary>The symbol of this name.</summary>
    public bool TryGet(string name, out Symbol symbol) => _byName.TryGetValue(name, out symbol);
}

/// <summary>The symbols of a file while it is read, within the limits.</summary>
internal sealed class SymbolList
{
    private readonly List<Symbol> _all = [];
    private long _text;

    /// <summary>All, in the order of the file.</summary>
    public List<Symbol> All => _all;

    /// <summary>Adds a symbol of an ELF file.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void Add(ReadOnlySpan<byte> name, Location location, long size)
    {
        CheckLength(name.Length, 1);
        Add(new Symbol(Encoding.UTF8.GetString(name), location, size), 1);
    }

    /// <summary>Adds a symbol of a line of text.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void Add(string name, Location location, int line)
    {
        CheckLength(Encoding.UTF8.GetByteCount(name), line);
        Add(new Symbol(name, location, 0), line);
    }

    private void Add(in Symbol symbol, int line)
    {
        if (_all.Count == NameLimits.Symbols)
        {
            throw new NameFormatException(line, 1, $"The file has more than {NameLimits.Symbols} symbols, the most that are taken.");
        }

        _text += symbol.Name.Length;
        if (_text > NameLimits.SymbolText)
        {
            throw new NameFormatException(
                line, 1, $"The names of the first {_all.Count + 1} symbols have {_text} characters; the limit is {NameLimits.SymbolText} for all of a file.");
        }

        _all.Add(symbol);
    }

    private static void CheckLength(int bytes, int line)
    {
        if (bytes > NameLimits.SymbolName)
        {
            throw new NameFormatException(line, 1, $"A symbol's name has {bytes} bytes or more; the limit is {NameLimits.SymbolName}.");
        }
    }
}
