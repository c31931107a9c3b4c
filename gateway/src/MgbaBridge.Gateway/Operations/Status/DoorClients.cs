using System.Collections.Concurrent;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Operations.Status;

/// <summary>The clients that are connected by the protocols of other programs.</summary>
internal sealed class DoorClients(TimeProvider time)
{
    private readonly ConcurrentDictionary<DoorClient, bool> _all = new();

    /// <summary>Adds a client until it is disposed.</summary>
    /// <param name="door">The protocol's name, such as <c>bizhawk</c>.</param>
    /// <param name="emulator">The emulator's id.</param>
    /// <param name="caller">The client's address.</param>
    public DoorClient Enter(string door, string emulator, string caller)
    {
        var client = new DoorClient(this, time, door, emulator, caller);
        _all[client] = true;
        GatewayMetrics.DoorEntered(door, emulator);
        return client;
    }

    /// <summary>The clients of an emulator, the one that connected first first.</summary>
    public IReadOnlyList<DoorClient> Of(string emulator) =>
        _all.IsEmpty ? [] : [.. _all.Keys.Where(client => client.Emulator == emulator).OrderBy(client => client.Since)];

    /// <summary>Removes a client.</summary>
    internal void Leave(DoorClient client)
    {
        if (_all.TryRemove(client, out _))
        {
            GatewayMetrics.DoorLeft(client.Door, client.Emulator);
        }
    }
}

/// <summary>A client that is connected by the protocol of another program.</summary>
internal sealed class DoorClient : IDisposable
{
    private readonly DoorClients _clients;
    private readonly TimeProvider _time;
    private long _requests;
    private long _lastSeen;
    private volatile string? _last;

    internal DoorClient(DoorClients clients, TimeProvider time, string door, string emulator, string caller)
    {
        (_clients, _time, Door, Emulator, Caller) = (clients, time, door, emulator, caller);
        Since = time.GetUtcNow();
        _lastSeen = Since.Ticks;
    }

    /// <summary>The protocol's name.</summary>
    public string Door { get; }

    /// <summary>The emulator's id.</summary>
    public string Emulator { get; }

    /// <summary>The client's address.</summary>
    public string Caller { get; }

    /// <summary>When it connected.</summary>
    public DateTimeOffset Since { get; }

    /// <summary>When its last request came.</summary>
    public DateTimeOffset LastSeen => new(Volatile.Read(ref _lastSeen), TimeSpan.Zero);

    /// <summary>How many requests it has sent.</summary>
    public long Requests => Volatile.Read(ref _requests);

    /// <summary>What its last request was; null before the first.</summary>
    public string? Last => _last;

    /// <summary>Whether its last request is longer ago.</summary>
    public bool IsSilentFor(TimeSpan time) => _time.GetUtcNow() - LastSeen > time;

    /// <summary>Counts a request. <paramref name="what"/> is its name in the client's protocol.</summary>
    public void Count(string what)
    {
        _last = what;
        Volatile.Write(ref _lastSeen, _time.GetUtcNow().Ticks);
        Interlocked.Increment(ref _requests);
        GatewayMetrics.DoorRequested(Door, Emulator);
    }

    public void Dispose() => _clients.Leave(this);
}
