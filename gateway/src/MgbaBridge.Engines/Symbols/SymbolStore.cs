using System.Globalization;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The names of games, by the CRC32 of their ROM.</summary>
public sealed class SymbolStore
{
    // their memory is the limit that people meet; this one bounds what names of one byte can add up to
    private const int MaxGames = 1_000;

    private static readonly GameSymbols None = new(null, null);
    private static readonly Lazy<uint> DemoCrc32 = new(static () => Crc32.Of(BundledGames.Read(BundledGames.DemoFile)));

    private readonly Dictionary<uint, GameSymbols> _games = [];
    private readonly Lock _gate = new();
    private readonly SymbolOptions _options;
    private long _memory;
    private bool _hasBundled;

    /// <summary>Makes it, and reads the folder of the settings.</summary>
    /// <exception cref="NameFormatException">A file in it is wrong.</exception>
    public SymbolStore(SymbolOptions options)
    {
        _options = options;
        if (!string.IsNullOrEmpty(options.Folder))
        {
            foreach (var file in Directory.EnumerateFiles(options.Folder).Order(StringComparer.Ordinal))
            {
                Load(file);
            }
        }
    }

    /// <summary>The names of a game that comes with this program; none of another ROM.</summary>
    public static GameSymbols OfBundled(string rom) =>
        rom == BundledGames.Demo ? new GameSymbols(SymbolFile.Read(BundledGames.Read("demo.elf")), PropertyMapFile.Read(BundledGames.Read("demo.json"))) : None;

    /// <summary>The names of a game.</summary>
    public GameSymbols Of(uint crc32)
    {
        lock (_gate)
        {
            AddBundled(crc32);
            return _games.GetValueOrDefault(crc32, None);
        }
    }

    /// <summary>Changes the names of a game. Returns why there is not enough memory, or null.</summary>
    public string? Change(uint crc32, Func<GameSymbols, GameSymbols> change)
    {
        lock (_gate)
        {
            AddBundled(crc32);
            var before = _games.GetValueOrDefault(crc32, None);
            var names = change(before);
            if (names == None)
            {
                _games.Remove(crc32);
            }
            else if (!_games.ContainsKey(crc32) && _games.Count >= MaxGames)
            {
                return Full($"There are names of {MaxGames} games");
            }
            else if (_memory - before.Memory + names.Memory > _options.MaxMemory)
            {
                return Full(
                    $"The names would take about {names.Memory} bytes beside the {_memory - before.Memory} of other games; Bridge:Symbols:MaxMemory allows {_options.MaxMemory}");
            }
            else
            {
                _games[crc32] = names;
            }

            _memory += names.Memory - before.Memory;
            return null;
        }
    }

    // the names of the demo game are known wherever it is played, until somebody replaces or deletes them
    private void AddBundled(uint crc32)
    {
        if (_hasBundled || crc32 != DemoCrc32.Value)
        {
            return;
        }

        _hasBundled = true;
        var names = OfBundled(BundledGames.Demo);
        if (_games.TryAdd(crc32, names))
        {
            _memory += names.Memory;
        }
    }

    private static string Full(FormattableString what) => $"{FormattableString.Invariant(what)}. Delete those of another game, or raise the setting.";

    private void Load(string path)
    {
        var name = Path.GetFileName(path);
        try
        {
            switch (Path.GetExtension(name).ToLowerInvariant())
            {
                case ".json":
                    var map = PropertyMapFile.Read(Read(path));
                    Keep(map.Crc32 ?? CrcOf(name), names => names with { Properties = map });
                    break;
                case ".sym" or ".map" or ".elf":
                    var symbols = SymbolFile.Read(Read(path));
                    Keep(CrcOf(name), names => names with { Symbols = symbols });
                    break;
            }
        }
        catch (NameFormatException exception)
        {
            throw new InvalidDataException($"{path}: {exception.Message}", exception);
        }
    }

    private static byte[] Read(string path) => LocalFiles.KindOf(path) == FileKind.File
        ? File.ReadAllBytes(path)
        : throw new InvalidDataException($"{path}: It is a symbolic link or not a regular file. Put the file itself into Bridge:Symbols:Folder.");

    private void Keep(uint crc32, Func<GameSymbols, GameSymbols> change)
    {
        if (Change(crc32, change) is { } full)
        {
            throw new NameFormatException(1, 1, full);
        }
    }

    private static uint CrcOf(string name) => PropertyMapFile.TryCrc32(name.AsSpan(0, Math.Min(8, name.Length)), out var crc32)
        ? crc32
        : throw new NameFormatException(1, 1, "The file's name has to begin with the game's CRC32, such as 52258CD4.sym; a property map may have it as crc32 instead.");
}

/// <summary>The names of a game.</summary>
/// <param name="Symbols">From the linker, or null.</param>
/// <param name="Properties">From a property map, or null.</param>
public sealed record GameSymbols(SymbolTable? Symbols, PropertyMap? Properties)
{
    /// <summary>About how many bytes they take.</summary>
    public long Memory => (Symbols?.Memory ?? 0) + (Properties?.Memory ?? 0);

    /// <summary>The constant of this name as a value that can be read; null when there is none.</summary>
    public GameProperty? ConstantOf(string name) => Properties?.Find(name) is null && Symbols is not null && Symbols.TryGetConstant(name, out var value)
        ? new GameProperty(name, new ValueLocation(name, default), [], new ConstantType(value))
        : null;

    /// <summary>Why a symbol names no place although the game has it; null when it does not.</summary>
    public string? WhyNoPlace(string symbol) => Symbols is not null && Symbols.TryGetConstant(symbol, out var value)
        ? $"{symbol} is a constant, {value.ToString(CultureInfo.InvariantCulture)}, and not a place in memory. It can only be read."
        : null;
}
