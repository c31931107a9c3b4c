namespace MgbaBridge.Gateway.Search;

/// <summary>What RAM searches may take.</summary>
public sealed record SearchOptions
{
    /// <summary>The most bytes that all searches together keep, 1 MiB..4 GiB, default 64 MiB. Beyond: 507.</summary>
    public long MaxMemory { get; set; } = 67_108_864;

    /// <summary>After how long a search that nobody asks for is forgotten, 1 s..1 day, default 10 min.</summary>
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromMinutes(10);

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate()
    {
        if (MaxMemory is < 1_048_576 or > 4_294_967_296)
        {
            yield return "MaxMemory has to be 1048576..4294967296 (bytes).";
        }

        if (IdleTimeout < TimeSpan.FromSeconds(1) || IdleTimeout > TimeSpan.FromDays(1))
        {
            yield return "IdleTimeout has to be 1 s..1 day.";
        }
    }
}
