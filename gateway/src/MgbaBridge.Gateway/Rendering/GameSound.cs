namespace MgbaBridge.Gateway.Rendering;

/// <summary>The form of a game's sound: pairs of samples of 16 bits, left and right.</summary>
internal static class GameSound
{
    /// <summary>Pairs of samples a second of the game.</summary>
    public const int SampleRate = 48_000;

    /// <summary>Bytes of a pair: left and right.</summary>
    public const int BytesPerPair = 4;
}
