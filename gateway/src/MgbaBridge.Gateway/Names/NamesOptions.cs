namespace MgbaBridge.Gateway.Names;

/// <summary>Names for places in memory: symbols and property maps.</summary>
public sealed record NamesOptions
{
    /// <summary>A folder read at the start: property maps <c>*.json</c>, and symbols <c>*.sym</c>, <c>*.map</c> and <c>*.elf</c> whose file name begins
    /// with the game's CRC32, such as <c>52258CD4.sym</c>. Default: none.</summary>
    public string? Folder { get; set; }

    /// <summary>For how many games names are kept, 1..1000, default 32. Beyond: 507.</summary>
    public int MaxGames { get; set; } = 32;

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate()
    {
        if (MaxGames is < 1 or > 1_000)
        {
            yield return "MaxGames has to be 1..1000.";
        }

        if (!string.IsNullOrEmpty(Folder) && !Directory.Exists(Folder))
        {
            yield return $"Folder is {Folder}, and there is no such folder.";
        }
    }
}
