using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>What a subscriber finds when it adds topics.</summary>
/// <param name="Missed">What happened since the last event that it saw, in order.</param>
/// <param name="Forgotten">How many events since then are not known any more, those of other topics counted.</param>
/// <param name="Failure">Why a topic cannot be watched, or null.</param>
public readonly record struct EventBacklog(IReadOnlyList<EmulatorEvent> Missed, long Forgotten, FailureReport? Failure);
