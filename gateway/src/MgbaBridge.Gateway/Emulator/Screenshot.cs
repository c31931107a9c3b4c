using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>What a viewer is shown: a picture, or why there is none.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Png">The picture as PNG.</param>
/// <param name="Failure">Why there is none, or null.</param>
public sealed record Screenshot(long Frame, uint Epoch, ReadOnlyMemory<byte> Png, FailureReport? Failure);
