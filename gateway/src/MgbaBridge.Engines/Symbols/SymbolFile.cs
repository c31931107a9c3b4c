using System.Collections.Frozen;
using System.Text;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

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
public readonly record struct Symbol(string Name, Location Location, long Size)
{
    /// <summary>The type of a number of this size.</summary>
    public NumberType Type => Size switch { 1 => NumberType.U8, 2 => NumberType.U16, _ => NumberType.U32 };
}

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
    /// <param name="name">Its name.</param>
    /// <param name="location">Where it is.</param>
    /// <param name="size">Its bytes.</param>
    /// <param name="at">Where its entry is in the file.</param>
    public void Add(ReadOnlySpan<byte> name, Location location, long size, long at)
    {
        if ((TooLong(name.Length) ?? TryAdd(new Symbol(Encoding.UTF8.GetString(name), location, size))) is { } wrong)
        {
            throw NameFormatException.AtByte(at, wrong);
        }
    }

    /// <summary>Adds a symbol of a line of text.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void Add(string name, Location location, int line)
    {
        if ((TooLong(Encoding.UTF8.GetByteCount(name)) ?? TryAdd(new Symbol(name, location, 0))) is { } wrong)
        {
            throw new NameFormatException(line, 1, wrong);
        }
    }

    private string? TryAdd(in Symbol symbol)
    {
        if (_all.Count == NameLimits.Symbols)
        {
            return $"The file has more than {NameLimits.Symbols} symbols, the most that are taken.";
        }

        _text += symbol.Name.Length;
        if (_text > NameLimits.SymbolText)
        {
            return $"The names of the first {_all.Count + 1} symbols have {_text} characters; the limit is {NameLimits.SymbolText} for all of a file.";
        }

        _all.Add(symbol);
        return null;
    }

    private static string? TooLong(int bytes) =>
        bytes > NameLimits.SymbolName ? $"A symbol's name has {bytes} bytes or more; the limit is {NameLimits.SymbolName}." : null;
}
