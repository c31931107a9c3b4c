namespace MgbaBridge.Gateway.Commands;

/// <summary>What a caller may say about one request besides the command. The default is right for almost all.</summary>
public readonly record struct RequestOptions
{
    /// <summary>Whose levels, leases and watches it concerns; null for the gateway's own session.</summary>
    public Holder? Holder { get; init; }

    /// <summary>How long to wait for the reply; null for the setting <c>RequestTimeout</c>.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Stays sent while the script is silent, until its reply comes or its time is up.</summary>
    public bool OutlastsSilence { get; init; }

    /// <summary>Run only while this is the epoch, else it is refused <c>epoch-changed</c>; null for no condition.</summary>
    public uint? Epoch { get; init; }
}
