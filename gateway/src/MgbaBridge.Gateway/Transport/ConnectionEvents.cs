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
