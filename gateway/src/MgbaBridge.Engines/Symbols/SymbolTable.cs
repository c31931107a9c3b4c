using System.Collections.Frozen;
using System.Text;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>A name that the game's makers gave to a place.</summary>
/// <param name="Name">The name.</param>
/// <param name="Location">The place.</param>
/// <param name="Size">How many bytes it has; 0 where that is not known.</param>
public readonly record struct Symbol(string Name, Location Location, long Size)
{
    /// <summary>The type of a number of this size.</summary>
    public NumberType Type => Size switch { 1 => NumberType.U8, 2 => NumberType.U16, _ => NumberType.U32 };
}

/// <summary>A name that the game's makers gave to a number, which is no place.</summary>
/// <param name="Name">The name.</param>
/// <param name="Value">The number.</param>
public readonly record struct SymbolConstant(string Name, long Value);

/// <summary>What a file has besides the symbols that were taken.</summary>
/// <param name="What">What it is.</param>
/// <param name="Count">How many there are.</param>
public readonly record struct LeftOut(string What, int Count);

/// <summary>The symbols of a game. Of two with one name the first counts.</summary>
public sealed class SymbolTable
{
    // of a symbol in the list and in the dictionary, and of a string
    private const int Overhead = 128;

    // symbols of text files have no size: of code the next one ends it, of data little is behind a name
    private const long UnknownSize = 256;
    private const long UnknownSizeOfCode = 0x4000;
    private const string Cartridge = "cart0";
    private const long EndOfRom = 0x8000;
    private const long GbaRom = 0x08000000;
    private const long EndOfGbaRom = 0x0E000000;

    // up to each place, the greatest end in the same domain
    private readonly long[] _ends;
    private readonly FrozenDictionary<string, Symbol> _byName;
    private readonly FrozenDictionary<string, long> _constants;

    /// <summary>Makes a table of what a file has.</summary>
    internal SymbolTable(string format, SymbolList read)
    {
        Format = format;
        _byName = read.Places.ToFrozenDictionary(symbol => symbol.Name, StringComparer.Ordinal);
        _constants = read.Constants.ToFrozenDictionary(constant => constant.Name, constant => constant.Value, StringComparer.Ordinal);
        All = [.. read.Places.OrderBy(symbol => symbol.Location.Domain, StringComparer.Ordinal).ThenBy(symbol => symbol.Location.Offset).ThenBy(symbol => symbol.Name, StringComparer.Ordinal)];
        _ends = new long[All.Count];
        for (var index = 0; index < _ends.Length; index++)
        {
            var isFirst = index == 0 || All[index - 1].Location.Domain != All[index].Location.Domain;
            _ends[index] = isFirst ? EndOf(All[index]) : Math.Max(_ends[index - 1], EndOf(All[index]));
        }

        Constants = [.. read.Constants.OrderBy(constant => constant.Name, StringComparer.Ordinal)];
        LeftOut = read.LeftOut;
        Memory = All.Select(symbol => symbol.Name).Concat(_constants.Keys).Sum(name => Overhead + (sizeof(char) * (long)name.Length));
    }

    /// <summary>What file it was: <c>elf</c>, <c>map</c>, <c>sym</c> or <c>noi</c>.</summary>
    public string Format { get; }

    /// <summary>About how many bytes it takes.</summary>
    public long Memory { get; }

    /// <summary>All places, in their order.</summary>
    public IReadOnlyList<Symbol> All { get; }

    /// <summary>All constants, by name.</summary>
    public IReadOnlyList<SymbolConstant> Constants { get; }

    /// <summary>What else the file has.</summary>
    public IReadOnlyList<LeftOut> LeftOut { get; }

    /// <summary>The place of this name; a C++ name may be as the compiler writes it.</summary>
    public bool TryGet(string name, out Symbol symbol) => _byName.TryGetValue(name, out symbol) || _byName.TryGetValue(CppName.Demangle(name), out symbol);

    /// <summary>The symbol that begins nearest before a place, or there, and includes it.</summary>
    public bool TryFindAt(Location place, out Symbol symbol)
    {
        var (low, high) = (0, All.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = IsBehind(All[middle].Location, place) ? (low, middle) : (middle + 1, high);
        }

        var index = low - 1;
        while (index >= 0 && All[index].Location.Domain == place.Domain && _ends[index] > place.Offset && EndOf(All[index]) <= place.Offset)
        {
            index--;
        }

        if (index < 0 || All[index].Location.Domain != place.Domain || EndOf(All[index]) <= place.Offset)
        {
            symbol = default;
            return false;
        }

        // of several that begin there the first
        while (index > 0 && All[index - 1].Location == All[index].Location && EndOf(All[index - 1]) > place.Offset)
        {
            index--;
        }

        symbol = All[index];
        return true;
    }

    private static bool IsBehind(Location location, Location place) =>
        string.CompareOrdinal(location.Domain, place.Domain) is var order && (order > 0 || (order == 0 && location.Offset > place.Offset));

    /// <summary>How many bytes a function has: without a size it ends at the next symbol. Null where neither says it.</summary>
    public long? SizeOf(Symbol function)
    {
        if (function.Size > 0)
        {
            return function.Size;
        }

        var behind = All.FirstOrDefault(symbol => symbol.Location.Domain == function.Location.Domain && symbol.Location.Offset > function.Location.Offset);
        return behind.Name is null ? null : behind.Location.Offset - function.Location.Offset;
    }

    private static long EndOf(in Symbol symbol) => symbol.Location.Offset + (symbol.Size > 0 ? symbol.Size : IsInRom(symbol.Location) ? UnknownSizeOfCode : UnknownSize);

    private static bool IsInRom(Location location) =>
        location.Domain == Cartridge || (location is { Domain: null, Offset: < EndOfRom or (>= GbaRom and < EndOfGbaRom) });

    /// <summary>The constant of this name.</summary>
    public bool TryGetConstant(string name, out long value) => _constants.TryGetValue(name, out value);
}

/// <summary>The symbols of a file while it is read, within the limits.</summary>
internal sealed class SymbolList
{
    private const string Repeated = "names that are there before";

    private readonly HashSet<string> _names = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _leftOut = new(StringComparer.Ordinal);
    private int _seen;
    private long _text;

    /// <summary>The places, in the order of the file.</summary>
    public List<Symbol> Places { get; } = [];

    /// <summary>The constants, in the order of the file.</summary>
    public List<SymbolConstant> Constants { get; } = [];

    /// <summary>What else it has.</summary>
    public IReadOnlyList<LeftOut> LeftOut => [.. _leftOut.Select(pair => new LeftOut(pair.Key, pair.Value))];

    /// <summary>Adds a symbol of an ELF file.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    /// <param name="name">Its name.</param>
    /// <param name="location">Where it is.</param>
    /// <param name="size">Its bytes.</param>
    /// <param name="at">Where its entry is in the file.</param>
    public void Add(ReadOnlySpan<byte> name, Location location, long size, long at)
    {
        string? added = null;
        if ((TooLong(name.Length) ?? TryAdd(Encoding.UTF8.GetString(name), out added)) is { } wrong)
        {
            throw NameFormatException.AtByte(at, wrong);
        }

        if (added is not null)
        {
            Places.Add(new Symbol(added, location, size));
        }
    }

    /// <summary>Adds a symbol of a line of text.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void Add(string name, Location location, long size, int line)
    {
        if (Take(name, line) is { } added)
        {
            Places.Add(new Symbol(added, location, size));
        }
    }

    /// <summary>Adds a constant of a line of text.</summary>
    /// <exception cref="NameFormatException">It is beyond a limit.</exception>
    public void AddConstant(string name, long value, int line)
    {
        if (Take(name, line) is { } added)
        {
            Constants.Add(new SymbolConstant(added, value));
        }
    }

    /// <summary>Counts something that is no symbol for a game.</summary>
    public void Leave(string what) => _leftOut[what] = _leftOut.GetValueOrDefault(what) + 1;

    private string? Take(string name, int line)
    {
        string? added = null;
        return (TooLong(Encoding.UTF8.GetByteCount(name)) ?? TryAdd(name, out added)) is { } wrong ? throw new NameFormatException(line, 1, wrong) : added;
    }

    private string? TryAdd(string name, out string? added)
    {
        added = null;
        if (_seen == NameLimits.Symbols)
        {
            return $"The file has more than {NameLimits.Symbols} symbols, the most that are taken.";
        }

        var shown = CppName.Demangle(name);
        _seen++;
        _text += shown.Length;
        if (_text > NameLimits.SymbolText)
        {
            return $"The names of the first {_seen} symbols have {_text} characters; the limit is {NameLimits.SymbolText} for all of a file.";
        }

        if (_names.Add(shown))
        {
            added = shown;
        }
        else
        {
            Leave(Repeated);
        }

        return null;
    }

    private static string? TooLong(int bytes) =>
        bytes > NameLimits.SymbolName ? $"A symbol's name has {bytes} bytes or more; the limit is {NameLimits.SymbolName}." : null;
}
