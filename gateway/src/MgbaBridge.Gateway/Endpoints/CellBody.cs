namespace MgbaBridge.Gateway.Endpoints;

/// <summary>One value to be written.</summary>
/// <param name="Value">0..2^bits-1, or negative in two's complement.</param>
public sealed record CellBody(long Value);
