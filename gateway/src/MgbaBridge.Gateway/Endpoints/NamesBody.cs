namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Properties to read at once.</summary>
public sealed record NamesBody
{
    /// <summary>1 to 256 names.</summary>
    public required IReadOnlyList<string> Names { get; init; }
}
