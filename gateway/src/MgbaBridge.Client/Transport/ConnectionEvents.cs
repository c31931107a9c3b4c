using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>The callbacks of a connection's owner.</summary>
/// <param name="CapacityFreed">A reply came, so another request may be sent. Called for each reply: it must be cheap.</param>
/// <param name="Closed">The connection is closed; its requests have failed.</param>
/// <param name="SilenceChanged">The script became silent or responsive.</param>
/// <param name="EventReceived">An unsolicited event arrived.</param>
internal sealed record ConnectionEvents(
    Action<Connection> CapacityFreed,
    Action<Connection, CommandFailure> Closed,
    Action<Connection, bool> SilenceChanged,
    Action<UnsolicitedEvent> EventReceived)
{
    /// <summary>Callbacks that do nothing.</summary>
    public static ConnectionEvents None { get; } = new(_ => { }, (_, _) => { }, (_, _) => { }, _ => { });
}

/// <summary>The callbacks of a pool's owner.</summary>
/// <param name="StateChanged">The link state has changed.</param>
/// <param name="EventReceived">An unsolicited event arrived.</param>
internal sealed record PoolEvents(Action<LinkState> StateChanged, Action<UnsolicitedEvent> EventReceived);

/// <summary>An event that the script sent without a request.</summary>
/// <param name="Number">The script's event number.</param>
/// <param name="Frame">The frame in which it happened.</param>
/// <param name="Epoch">The epoch at that time.</param>
/// <param name="Topic">The topic, such as <c>game.closed</c>.</param>
/// <param name="Values">Its values in wire format.</param>
/// <param name="Tail">Its raw bytes; empty for none.</param>
internal sealed record UnsolicitedEvent(long Number, long Frame, Epoch Epoch, string Topic, ReadOnlyMemory<byte> Values, ReadOnlyMemory<byte> Tail);
