using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>Values of properties, all from one frame; or why there are none.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Epoch">The epoch.</param>
/// <param name="Values">The values, in the order that was asked for.</param>
/// <param name="Failure">The emulator could not be asked.</param>
/// <param name="Unsettled">Pointers changed whenever they were followed.</param>
public sealed record NamedValues(long Frame, uint Epoch, IReadOnlyList<NamedValue> Values, FailureReport? Failure = null, bool Unsettled = false);
