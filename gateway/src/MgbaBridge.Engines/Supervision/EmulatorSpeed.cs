using System.Collections.Immutable;

namespace MgbaBridge.Engines.Supervision;

/// <summary>The speed of an emulator: what was set, and the higher ones that somebody asks for as long as they hold them, as a key is held.</summary>
/// <param name="Base">Frames a second that were set; 0 for as fast as possible, null for the console's own rate.</param>
internal sealed record EmulatorSpeed(double? Base)
{
    /// <summary>The most that hold one at a time.</summary>
    public const int MaxHolders = 256;

    private const double OwnRate = 16_777_216.0 / 280_896;

    private ImmutableDictionary<string, double> Holds { get; init; } = ImmutableDictionary<string, double>.Empty;

    /// <summary>The highest that is held; null when nobody holds one.</summary>
    public double? Held => Holds.IsEmpty ? null : Holds.Values.MaxBy(Rank);

    /// <summary>Frames a second of now, for a start: null for the console's own rate.</summary>
    public double? AtStart => Held is { } held && Rank(held) > Rank(Base ?? OwnRate) ? held : Base;

    /// <summary>Frames a second of now.</summary>
    public double Now => AtStart ?? OwnRate;

    /// <summary>The speed with this hold, or without one of this owner. Null when too many hold one.</summary>
    public EmulatorSpeed? With(string owner, double? fps) => fps is not { } rate ? this with { Holds = Holds.Remove(owner) }
        : Holds.Count >= MaxHolders && !Holds.ContainsKey(owner) ? null
        : this with { Holds = Holds.SetItem(owner, rate) };

    // 0 is as fast as possible
    private static double Rank(double fps) => fps == 0 ? double.MaxValue : fps;
}
