namespace MgbaBridge.Gateway.Endpoints;

/// <summary>How to take the lease.</summary>
public sealed record LeaseBody
{
    /// <summary>How many milliseconds the holder may say nothing before the lease ends, 50 to 10000; 2000 unless given.</summary>
    public long? LimitMs { get; init; }

    /// <summary>The token of a lease to go on with. 409 when that one has ended.</summary>
    public string? Token { get; init; }
}
