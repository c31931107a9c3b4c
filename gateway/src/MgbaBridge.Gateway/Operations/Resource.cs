using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Operations;

/// <summary>What operations have in common.</summary>
/// <param name="Tag">The group that the reference shows them in.</param>
/// <param name="Json">How their responses are written as JSON.</param>
public sealed record Resource(string Tag, JsonSerializerContext Json)
{
    /// <summary>Whether they send commands to the emulator, so that the response has a frame and may fail in the ways of the failure table.</summary>
    public bool UsesEmulator { get; init; } = true;

    /// <summary>Whether they exist for each emulator, so that other emulators than the first have their paths below <c>/i/{id}</c>.</summary>
    public bool IsPerEmulator { get; init; } = true;

    /// <summary>Whether they concern what all callers of the gateway share, so that a token of an owner is not enough. Unless given, what is not about one emulator.</summary>
    public bool IsShared
    {
        get => _isShared ?? !IsPerEmulator;
        init => _isShared = value;
    }

    private readonly bool? _isShared;
}
