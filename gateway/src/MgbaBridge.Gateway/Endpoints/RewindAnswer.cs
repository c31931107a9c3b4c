using MgbaBridge.Gateway.Recording;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The states to go back to.</summary>
/// <param name="Every">How many frames lie between two.</param>
/// <param name="Most">How many are kept.</param>
/// <param name="Bytes">The bytes that they have.</param>
/// <param name="Points">The states, oldest first.</param>
public readonly record struct RewindAnswer(long Every, int Most, long Bytes, IReadOnlyList<RewindPointAnswer> Points)
{
    /// <summary>The answer made from a ring.</summary>
    internal static RewindAnswer Of(RewindRing ring) =>
        new(ring.Every, ring.Most, ring.Bytes, [.. ring.Points.Select(point => new RewindPointAnswer(point.Frame, point.Epoch, point.State.Length))]);
}
