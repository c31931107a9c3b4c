namespace MgbaBridge.Gateway.Recording;

/// <summary>Where a replay went another way.</summary>
/// <param name="Frame">The frame of the recording.</param>
/// <param name="After">How many frames after its state.</param>
/// <param name="Expected">The hash in the recording.</param>
/// <param name="Found">The hash that was found.</param>
public sealed record Divergence(long Frame, long After, string Expected, string Found);
