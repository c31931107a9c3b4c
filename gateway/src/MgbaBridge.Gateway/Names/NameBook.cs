using System.Globalization;

namespace MgbaBridge.Gateway.Names;

/// <summary>The names of games, by the CRC32 of their ROM.</summary>
public sealed class NameBook
{
    private static readonly GameNames None = new(null, null);

    private readonly Dictionary<uint, GameNames> _games = [];
    private readonly Lock _gate = new();
    private readonly int _most;

    /// <summary>Makes it, and reads the folder of the settings.</summary>
    /// <exception cref="NameFormatException">A file in it is wrong.</exception>
    public NameBook(NamesOptions options)
    {
        _most = options.MaxGames;
        if (!string.IsNullOrEmpty(options.Folder))
        {
            foreach (var file in Directory.EnumerateFiles(options.Folder).Order(StringComparer.Ordinal))
            {
                Load(file);
            }
        }
    }

    /// <summary>For how many games names are kept.</summary>
    public int MaxGames => _most;

    /// <summary>The names of a game.</summary>
    public GameNames Of(uint crc32)
    {
        lock (_gate)
        {
            return _games.GetValueOrDefault(crc32, None);
        }
    }

    /// <summary>Changes the names of a game. False if there is no room for another game.</summary>
    public bool TryChange(uint crc32, Func<GameNames, GameNames> change)
    {
        lock (_gate)
        {
            var names = change(_games.GetValueOrDefault(crc32, None));
            if (names == None)
            {
                _games.Remove(crc32);
                return true;
            }

            if (!_games.ContainsKey(crc32) && _games.Count >= _most)
            {
                return false;
            }

            _games[crc32] = names;
            return true;
        }
    }

    private void Load(string path)
    {
        var name = Path.GetFileName(path);
        try
        {
            switch (Path.GetExtension(name).ToLowerInvariant())
            {
                case ".json":
                    var map = PropertyMapFile.Read(File.ReadAllBytes(path));
                    Keep(map.Crc32 ?? CrcOf(name), names => names with { Properties = map });
                    break;
                case ".sym" or ".map" or ".elf":
                    var symbols = SymbolFile.Read(File.ReadAllBytes(path));
                    Keep(CrcOf(name), names => names with { Symbols = symbols });
                    break;
            }
        }
        catch (NameFormatException exception)
        {
            throw new InvalidDataException($"{path}: {exception.Message}", exception);
        }
    }

    private void Keep(uint crc32, Func<GameNames, GameNames> change)
    {
        if (!TryChange(crc32, change))
        {
            throw new NameFormatException(1, 1, string.Create(CultureInfo.InvariantCulture, $"There are names of more than {_most} games; raise Bridge:Names:MaxGames."));
        }
    }

    private static uint CrcOf(string name) => PropertyMapFile.TryCrc32(name.AsSpan(0, Math.Min(8, name.Length)), out var crc32)
        ? crc32
        : throw new NameFormatException(1, 1, "The file's name has to begin with the game's CRC32, such as 52258CD4.sym; a property map may have it as crc32 instead.");
}
