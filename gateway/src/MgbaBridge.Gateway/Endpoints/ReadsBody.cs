namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Many things to read at once.</summary>
public sealed record ReadsBody
{
    /// <summary>1 to 1024 of them.</summary>
    public required IReadOnlyList<ReadItem> Reads { get; init; }
}
