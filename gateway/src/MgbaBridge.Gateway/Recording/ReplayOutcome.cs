using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Recording;

/// <summary>How a replay ended.</summary>
/// <param name="Frame">The script's frame count at the end.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Frames">How many frames ran.</param>
/// <param name="Inputs">How many changes of the keys were made.</param>
/// <param name="Hashes">How many hashes were the same.</param>
/// <param name="Divergence">The first that was another, or null.</param>
/// <param name="Failure">Why it could not go on, or null.</param>
public sealed record ReplayOutcome(long Frame, uint Epoch, long Frames, int Inputs, int Hashes, Divergence? Divergence, FailureReport? Failure);
