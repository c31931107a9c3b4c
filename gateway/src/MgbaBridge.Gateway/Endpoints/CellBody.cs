namespace MgbaBridge.Gateway.Endpoints;

/// <summary>One value to be written.</summary>
public sealed record CellBody
{
    /// <summary>0..2^bits-1, or negative in two's complement.</summary>
    public required long Value { get; init; }
}
