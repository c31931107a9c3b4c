using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>What the owner of a connection wants to know about it.</summary>
/// <param name="RoomFreed">A reply came, so another request may be sent. Called for each reply: it has to be cheap.</param>
/// <param name="Closed">It is over; its requests have been failed.</param>
/// <param name="SilenceChanged">The script stopped or began to give signs.</param>
/// <param name="Announced">The script said something unasked.</param>
internal sealed record ConnectionEvents(
    Action<Connection> RoomFreed,
    Action<Connection, FailureReport> Closed,
    Action<Connection, bool> SilenceChanged,
    Action<Announcement> Announced)
{
    /// <summary>Nobody listens.</summary>
    public static ConnectionEvents None { get; } = new(_ => { }, (_, _) => { }, (_, _) => { }, _ => { });
}

/// <summary>What the owner of a pool wants to know.</summary>
/// <param name="StateChanged">How the pool stands with its script has changed.</param>
/// <param name="Announced">The script said something unasked.</param>
public sealed record PoolEvents(Action<LinkState> StateChanged, Action<Announcement> Announced);

/// <summary>Something the script said unasked.</summary>
/// <param name="Number">The script's count of events.</param>
/// <param name="Frame">The frame it happened in.</param>
/// <param name="Epoch">The epoch then.</param>
/// <param name="Topic">What it is about, such as <c>game.closed</c>.</param>
/// <param name="Values">Its values as they stand on the wire.</param>
/// <param name="Tail">Its raw bytes; empty if none.</param>
public sealed record Announcement(long Number, long Frame, uint Epoch, string Topic, ReadOnlyMemory<byte> Values, ReadOnlyMemory<byte> Tail);
