using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What must hold for a place to stay.</summary>
public sealed record RefineBody
{
    /// <summary>The most frames of one request.</summary>
    internal const int MostFrames = 600;

    /// <summary>How it is compared: eq, ne, lt, le, gt, ge, between, changed, unchanged, increased or decreased.</summary>
    public required SearchComparison Is { get; init; }

    /// <summary>With what: a value, the last pass, or the first one. `value` unless given; for changed, unchanged, increased and decreased `last`.</summary>
    public SearchAgainst Against { get; init; }

    /// <summary>The value. Against an earlier pass it is the difference from it (which wraps around as the number does): allowed for eq, ne, between,
    /// increased and decreased.</summary>
    public long? Value { get; init; }

    /// <summary>The other end of between, included.</summary>
    public long? To { get; init; }

    /// <summary>In how many frames it must hold, 1 to 600, each later than the one before; 1 unless given. With `last`, each frame is compared with
    /// the one before.</summary>
    public int? Frames { get; init; }

    /// <summary>The test that it is.</summary>
    internal SearchTest Test => new(Is, Is >= SearchComparison.Changed && Against == SearchAgainst.Value ? SearchAgainst.Last : Against, Value, To);
}
