using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Emulator;

/// <summary>An unsolicited event of an emulator.</summary>
/// <param name="Number">The event number, which grows by one with each event of the emulator.</param>
/// <param name="Name">The name of the topic that it belongs to.</param>
/// <param name="Kind">The kind of event: <c>memory</c>, <c>frame</c>, <c>keys</c>, <c>ended</c>, <c>game.closed</c>, <c>lease</c>, <c>script.connected</c> and so on.</param>
/// <param name="Frame">The frame of the event; 0 for an event of the gateway.</param>
/// <param name="Epoch">The epoch of the event.</param>
/// <param name="Values">Its values, in wire format.</param>
/// <param name="Bytes">Its bytes, or none.</param>
public sealed record EmulatorEvent(
    long Number, string Name, string Kind, long Frame, Epoch Epoch, ReadOnlyMemory<byte> Values, ReadOnlyMemory<byte> Bytes)
{
    /// <summary>Of <c>keys</c>: the pressed keys, and the first frame that ran with them.</summary>
    public (long From, KeySet Keys) ReadKeys()
    {
        var values = new ValueReader(Values.Span);
        return values.TryReadInteger(out var mask) && ReadInteger("from"u8) is { } from ? (from, new KeySet((int)mask)) : (Frame, default);
    }

    /// <summary>What the sensors of the cartridge show, and the first frame that ran with that; of an event <c>sensors</c>.</summary>
    public (long From, SensorValues Sensors) ReadSensors() => (
        ReadInteger("from"u8) ?? Frame,
        new SensorValues(ReadInteger("light"u8) ?? 0, ReadInteger("x"u8) ?? 0, ReadInteger("y"u8) ?? 0, ReadInteger("gyro"u8) ?? 0));

    /// <summary>The picture that the camera of the cartridge sees, and the first frame that ran with it; of an event <c>camera</c>.</summary>
    public (long From, ReadOnlyMemory<byte> Picture) ReadCamera() => (ReadInteger("from"u8) ?? Frame, Bytes);

    /// <summary>A number with a name, or null.</summary>
    public long? ReadInteger(ReadOnlySpan<byte> name)
    {
        var values = new ValueReader(Values.Span);
        return values.ReadTo(name) && values.Kind == ValueKind.Integer ? values.Integer : null;
    }
}

/// <summary>The outcome of adding topics to a subscription.</summary>
/// <param name="Missed">The events since the last one that the subscriber received, in order.</param>
/// <param name="Forgotten">The number of events since then that are no longer in the history, including those of other topics.</param>
/// <param name="Failure">Why a topic cannot be watched, or null.</param>
public readonly record struct EventBacklog(IReadOnlyList<EmulatorEvent> Missed, long Forgotten, CommandFailure? Failure);
