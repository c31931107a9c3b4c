namespace MgbaBridge.Gateway.Recording;

/// <summary>A state to go back to.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="State">The state; a PNG that shows it, where the emulator has a picture.</param>
public sealed record RewindPoint(long Frame, uint Epoch, ReadOnlyMemory<byte> State);
