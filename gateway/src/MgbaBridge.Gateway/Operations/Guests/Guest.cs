using System.Collections.Concurrent;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Operations.Guests;

/// <summary>Somebody who was given a link to play along.</summary>
/// <param name="id">The id.</param>
/// <param name="name">What the owner calls the guest.</param>
/// <param name="until">When the link ends.</param>
/// <param name="credential">The token of the link, with its role.</param>
internal sealed class Guest(string id, string name, DateTimeOffset until, Credential credential)
{
    private readonly ConcurrentDictionary<GuestConnection, bool> _connections = new();

    /// <summary>The id.</summary>
    public string Id => id;

    /// <summary>What the owner calls the guest.</summary>
    public string Name => name;

    /// <summary>When the link ends.</summary>
    public DateTimeOffset Until => until;

    /// <summary>The token of the link, with its present role.</summary>
    public Credential Credential { get; set; } = credential;

    /// <summary>Ends the link when its time is up.</summary>
    public ITimer? Timer { get; set; }

    /// <summary>The open WebSockets, the oldest first.</summary>
    public IEnumerable<GuestConnection> Connections => _connections.Keys.OrderBy(connection => connection.Since);

    /// <summary>Adds a WebSocket until it is disposed.</summary>
    public GuestConnection Enter(string holder, string emulator, DateTimeOffset since)
    {
        var connection = new GuestConnection(this, holder, emulator, since);
        _connections[connection] = true;
        return connection;
    }

    /// <summary>Removes one that has ended.</summary>
    internal void Leave(GuestConnection connection) => _connections.TryRemove(connection, out _);
}

/// <summary>A WebSocket of a guest.</summary>
internal sealed class GuestConnection(Guest guest, string holder, string emulator, DateTimeOffset since) : IDisposable
{
    private double _delay = double.NaN;

    /// <summary>The holder of its keys and its lease.</summary>
    public string Holder => holder;

    /// <summary>The emulator's id.</summary>
    public string Emulator => emulator;

    /// <summary>When it was opened.</summary>
    public DateTimeOffset Since => since;

    /// <summary>How many milliseconds its last ping took; null before it has said so.</summary>
    public double? DelayMs
    {
        get => Volatile.Read(ref _delay) is var delay && double.IsNaN(delay) ? null : delay;
        set => Volatile.Write(ref _delay, value ?? double.NaN);
    }

    public void Dispose() => guest.Leave(this);
}
