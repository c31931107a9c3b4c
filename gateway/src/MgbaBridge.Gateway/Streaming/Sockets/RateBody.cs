namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>How often to be shown the picture.</summary>
public sealed record RateBody
{
    /// <summary>Pictures a second at most, 0.1 to 60; 10 unless given.</summary>
    public double? Fps { get; init; }
}
