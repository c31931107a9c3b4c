using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Protocol;

namespace MgbaBridge.Gateway.Emulator;

/// <summary>Something an emulator said unasked.</summary>
/// <param name="Number">Grows by one with each event of its emulator.</param>
/// <param name="Name">The name of the topic that it belongs to.</param>
/// <param name="Kind">What it says: <c>memory</c>, <c>frame</c>, <c>keys</c>, <c>ended</c>, <c>game.closed</c>, <c>lease</c>, <c>script.connected</c> and so on.</param>
/// <param name="Frame">The frame it happened in; 0 when the script did not say it.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Values">What else is said, as it stands on the wire.</param>
/// <param name="Bytes">The bytes of memory, or none.</param>
public sealed record EmulatorEvent(
    long Number, string Name, string Kind, long Frame, uint Epoch, ReadOnlyMemory<byte> Values, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>Of <c>keys</c>: those that are down, and the first frame that ran with them.</summary>
    public (long From, KeySet Keys) ReadKeys()
    {
        var values = new ValueReader(Values.Span);
        return values.Read() && values.Read() && values.TryReadInteger(out var mask) && values.ReadTo("from"u8) ? (values.Integer, new KeySet((int)mask)) : (Frame, default);
    }
}

/// <summary>What a subscriber finds when it adds topics.</summary>
/// <param name="Missed">What happened since the last event that it saw, in order.</param>
/// <param name="Forgotten">How many events since then are not known any more, those of other topics counted.</param>
/// <param name="Failure">Why a topic cannot be watched, or null.</param>
public readonly record struct EventBacklog(IReadOnlyList<EmulatorEvent> Missed, long Forgotten, FailureReport? Failure);
