namespace MgbaBridge.Gateway.Symbols;

/// <summary>Names for places in memory: symbols and property maps.</summary>
public sealed record SymbolOptions
{
    /// <summary>A folder read at the start: property maps <c>*.json</c>, and symbols <c>*.sym</c>, <c>*.map</c> and <c>*.elf</c> whose file name begins
    /// with the game's CRC32, such as <c>52258CD4.sym</c>. Default: none.</summary>
    public string? Folder { get; set; }

    /// <summary>For how many games names are kept, 1..1000, default 32. Beyond: 507.</summary>
    public int MaxGames { get; set; } = 32;

    /// <summary>About how many bytes the names of all games take together, 1 MiB..4 GiB, default 128 MiB. Beyond: 507.</summary>
    public long MaxMemory { get; set; } = 134_217_728;

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate()
    {
        if (MaxGames is < 1 or > 1_000)
        {
            yield return "MaxGames has to be 1..1000.";
        }

        if (MaxMemory is < 1_048_576 or > 4_294_967_296)
        {
            yield return "MaxMemory has to be 1048576..4294967296.";
        }

        if (!string.IsNullOrEmpty(Folder) && !Directory.Exists(Folder))
        {
            yield return $"Folder is {Folder}, and there is no such folder.";
        }
    }
}
