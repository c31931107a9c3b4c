using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Testing;

/// <summary>What tests have executed, by the functions and lines of the games' sources.</summary>
internal sealed class Coverage
{
    private const long BankSize = 0x4000;
    private const string Rom = "cart0";

    private readonly Lock _adding = new();
    private readonly Dictionary<(string Rom, string? Symbols), Dictionary<Location, long>> _games = [];
    private readonly SortedDictionary<string, CoveredFile> _files = new(StringComparer.Ordinal);
    private readonly List<string> _problems = [];

    /// <summary>The sources, by their paths.</summary>
    public IReadOnlyDictionary<string, CoveredFile> Files => _files;

    /// <summary>What could not be counted, in sentences.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>The file into which an emulator writes its counts, in a folder of its own.</summary>
    public static string FileIn(string folder) => Path.Combine(folder, "coverage.txt");

    /// <summary>The arguments by which an emulator writes it.</summary>
    public static IEnumerable<string> ArgumentsFor(Coverage? wanted, string folder) => wanted is null ? [] : ["--coverage", FileIn(folder)];

    /// <summary>Adds what an emulator has executed, and says so where that is not known.</summary>
    /// <param name="rom">Its ROM.</param>
    /// <param name="symbols">The file of symbols; null: the ROM itself, or one beside it.</param>
    /// <param name="folder">Where the emulator has written it.</param>
    public void Add(string rom, string? symbols, string folder)
    {
        lock (_adding)
        {
            if (!File.Exists(FileIn(folder)))
            {
                _problems.Add($"What {rom} has executed in a run is not known: its emulator did not end in order.");
                return;
            }

            if (!_games.TryGetValue((rom, symbols), out var counts))
            {
                _games[(rom, symbols)] = counts = [];
            }

            foreach (var line in File.ReadLines(FileIn(folder)))
            {
                var (place, count) = Read(line);
                counts[place] = counts.GetValueOrDefault(place) + count;
            }
        }
    }

    /// <summary>Forgets all, for another run.</summary>
    public void Clear()
    {
        _games.Clear();
        _files.Clear();
        _problems.Clear();
    }

    /// <summary>Finds functions and lines of all that was added.</summary>
    public void Resolve()
    {
        foreach (var ((rom, symbols), counts) in _games)
        {
            try
            {
                Resolve(rom, symbols, counts);
            }
            catch (Exception exception) when (exception is NameFormatException or IOException or UnauthorizedAccessException)
            {
                _problems.Add($"The symbols of {rom} cannot be read: {exception.Message}");
            }
        }
    }

    // 8000150 3, or of a Game Boy 1:4000 3
    private static (Location Place, long Count) Read(string line)
    {
        var (place, count) = line.Split(' ') is [var where, var times] ? (where, long.Parse(times, CultureInfo.InvariantCulture)) : throw new InvalidDataException(line);
        return place.Split(':') switch
        {
            ["0", var address] => (Location.Bus(Hex(address)), count),
            [var bank, var address] => (new Location(Rom, (Hex(bank) * BankSize) + Hex(address) - BankSize), count),
            _ => (Location.Bus(Hex(place)), count),
        };
    }

    private static long Hex(string text) => long.Parse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);

    private void Resolve(string rom, string? symbols, Dictionary<Location, long> counts)
    {
        if (symbols is null && IsElf(rom))
        {
            symbols = rom;
        }

        var names = symbols is null ? RomSymbols.Read(rom, (file, problem) => _problems.Add($"{file} is not used: {problem}")) : (symbols, SymbolFile.Read(File.ReadAllBytes(symbols)));
        if (names is not var (path, table))
        {
            _problems.Add($"There are no symbols of {rom}: put its ELF file, or one of its linker (.sym, .noi, .map), beside it.");
            return;
        }

        var file = File.ReadAllBytes(path);
        var isElf = file.AsSpan().StartsWith(ElfFile.Magic);
        var lines = isElf ? SourceLines.Read(file) : [];
        if (isElf && lines.Count == 0)
        {
            _problems.Add($"{path} has no lines of its source, only functions: compile with -g.");
        }

        var executed = counts.ToLookup(static count => count.Key.Domain, static count => (count.Key.Offset, Count: count.Value)).ToDictionary(static domain => domain.Key ?? "", static domain => domain.OrderBy(static count => count.Offset).ToArray());
        AddLines(lines, executed);
        AddFunctions(path, isElf ? ElfFile.Functions(file) : Ranges(table.All), lines, executed);
    }

    private static bool IsElf(string path)
    {
        using var file = File.OpenRead(path);
        Span<byte> magic = stackalloc byte[ElfFile.Magic.Length];
        return file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false) == magic.Length && magic.SequenceEqual(ElfFile.Magic);
    }

    // names of text files end where the next one begins
    private static IEnumerable<Symbol> Ranges(IReadOnlyList<Symbol> symbols) =>
        symbols.Where(static symbol => symbol.Location is { Domain: Rom } or { Domain: null, Offset: < 0x8000 or (>= 0x0800_0000 and < 0x0E00_0000) })
            .GroupBy(static symbol => symbol.Location.Domain)
            .SelectMany(static domain => domain.OrderBy(static symbol => symbol.Location.Offset).ToArray() is var all
                ? all.Zip(all.Skip(1).Select(static next => next.Location.Offset).Append(long.MaxValue), static (symbol, next) => symbol with { Size = Math.Max(1, next - symbol.Location.Offset) }) : []);

    private void AddLines(IReadOnlyList<SourceLine> lines, Dictionary<string, (long Offset, long Count)[]> executed)
    {
        var all = executed.GetValueOrDefault("", []);
        foreach (var group in lines.GroupBy(static line => (line.File, line.Line)))
        {
            var count = group.Max(line => Most(all, line.Start, Math.Max(line.End, line.Start + 1)));
            var found = FileOf(group.Key.File);
            found.Lines[group.Key.Line] = found.Lines.GetValueOrDefault(group.Key.Line) + count;
        }
    }

    private void AddFunctions(string path, IEnumerable<Symbol> functions, IReadOnlyList<SourceLine> lines, Dictionary<string, (long Offset, long Count)[]> executed)
    {
        var places = lines.GroupBy(static line => line.Start).ToDictionary(static line => line.Key, static line => line.First());
        foreach (var function in functions)
        {
            var all = executed.GetValueOrDefault(function.Location.Domain ?? "", []);
            var first = function.Location.Offset;
            var entered = Most(all, first, first + 1);
            var count = entered > 0 ? entered : Most(all, first, first + function.Size) > 0 ? 1 : 0; // a state may begin inside
            var place = function.Location.Domain is null && places.TryGetValue(first, out var line) ? line : new SourceLine(path, 1, first, first);
            var known = FileOf(place.File).Functions;
            known[function.Name] = (place.Line, known.GetValueOrDefault(function.Name).Count + count);
        }
    }

    private CoveredFile FileOf(string name)
    {
        var path = PathOf(name);
        if (!_files.TryGetValue(path, out var file))
        {
            _files[path] = file = new CoveredFile();
        }

        return file;
    }

    // as reports name files: seen from the working folder where they are in it
    private static string PathOf(string name)
    {
        var full = Path.GetFullPath(name.Replace('\\', '/'));
        var inside = Path.GetRelativePath(Directory.GetCurrentDirectory(), full);
        return inside.StartsWith("..", StringComparison.Ordinal) || Path.IsPathRooted(inside) ? full : inside;
    }

    // the most executions of an instruction there
    private static long Most((long Offset, long Count)[] executed, long start, long end)
    {
        var (low, high) = (0, executed.Length);
        while (low < high)
        {
            var middle = (low + high) / 2;
            (low, high) = executed[middle].Offset < start ? (middle + 1, high) : (low, middle);
        }

        var most = 0L;
        for (; low < executed.Length && executed[low].Offset < end; low++)
        {
            most = Math.Max(most, executed[low].Count);
        }

        return most;
    }
}

/// <summary>A source, and how often its parts were executed.</summary>
internal sealed class CoveredFile
{
    /// <summary>By lines that have code.</summary>
    public SortedDictionary<int, long> Lines { get; } = [];

    /// <summary>By functions: where they begin, and how often.</summary>
    public SortedDictionary<string, (int Line, long Count)> Functions { get; } = new(StringComparer.Ordinal);
}
