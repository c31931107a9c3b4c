namespace MgbaBridge.Gateway.Transport;

/// <summary>Where an emulator's script listens, and how to know that it is the right one.</summary>
public sealed record EmulatorAddress
{
    /// <summary>Host name or address, default <c>127.0.0.1</c>.</summary>
    public string Host { get; init; } = "127.0.0.1";

    /// <summary>The port, 1..65535; null to look for a script on 8888..8903.</summary>
    public int? Port { get; init; }

    /// <summary>The secret the script was started with, or null for none.</summary>
    public string? Secret { get; init; }

    /// <summary>The nonce the script was started with, or null to take any.</summary>
    public string? Nonce { get; init; }
}
