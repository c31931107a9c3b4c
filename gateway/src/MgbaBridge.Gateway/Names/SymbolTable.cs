using System.Collections.Frozen;

namespace MgbaBridge.Gateway.Names;

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
