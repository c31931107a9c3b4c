namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>A state to go on from.</summary>
public sealed record StateBody
{
    /// <summary>Its bytes in base64; not when they follow as a binary message.</summary>
    public ReadOnlyMemory<byte>? Bytes { get; init; }
}
