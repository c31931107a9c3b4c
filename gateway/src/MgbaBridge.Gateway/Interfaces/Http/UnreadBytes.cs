using System.Diagnostics;
using System.Net;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>
/// The bytes that the gateway holds until callers read them, on all connections: HTTP responses, events, pictures and WebSockets. Beyond the limit of a caller its
/// connection that has waited longest is cut; beyond the limit of all, that of the caller with the most. A caller that reads has nothing here.
/// </summary>
/// <param name="perCaller">The limit of a caller.</param>
/// <param name="max">The limit of all.</param>
/// <param name="read">Called when nothing waits any more after much did.</param>
/// <param name="logger">The log.</param>
internal sealed class UnreadBytes(long perCaller, long max, Action read, ILogger<UnreadBytes> logger)
{
    private const long Much = 8_388_608;

    private readonly Dictionary<IPAddress, Caller> _callers = [];
    private readonly Lock _gate = new();
    private long _total;
    private long _most;

    /// <summary>All of them.</summary>
    public long Total => Volatile.Read(ref _total);

    /// <summary>A connection, which has nothing unread at first.</summary>
    /// <param name="remote">Its other end.</param>
    /// <param name="cut">Ends it without waiting for anything.</param>
    public UnreadConnection Connect(EndPoint? remote, Action cut) => new(this, remote, cut);

    internal void Add(UnreadConnection connection, long bytes)
    {
        List<UnreadConnection>? cut = null;
        lock (_gate)
        {
            if (connection.IsCut)
            {
                return;
            }

            var address = CallerAddress.Of((connection.Remote as IPEndPoint)?.Address);
            if (!_callers.TryGetValue(address, out var caller))
            {
                _callers.Add(address, caller = new Caller());
            }

            connection.Waiting ??= caller.Connections.AddLast(connection);
            Count(caller, connection, bytes);
            while (caller.Bytes > perCaller)
            {
                Cut(address, caller, perCaller, "one caller", ref cut);
            }

            while (_total > max)
            {
                var (most, owner) = _callers.MaxBy(static known => known.Value.Bytes);
                Cut(most, owner, max, "all callers", ref cut);
            }
        }

        cut?.ForEach(static connection => ThreadPool.UnsafeQueueUserWorkItem(static connection => connection.Cut(), connection, preferLocal: false));
    }

    internal void Remove(UnreadConnection connection, long bytes)
    {
        lock (_gate)
        {
            if (connection.IsCut)
            {
                return;
            }

            var address = CallerAddress.Of((connection.Remote as IPEndPoint)?.Address);
            var caller = _callers[address];
            Count(caller, connection, -bytes);
            if (connection.Bytes == 0)
            {
                Forget(address, caller, connection);
            }
        }
    }

    private void Cut(IPAddress address, Caller caller, long limit, string whose, ref List<UnreadConnection>? cut)
    {
        var connection = caller.Connections.First!.Value;
        GatewayLog.UnreadConnectionCut(logger, address, connection.Bytes, limit, whose);
        connection.IsCut = true;
        Count(caller, connection, -connection.Bytes);
        Forget(address, caller, connection);
        (cut ??= []).Add(connection);
    }

    private void Count(Caller caller, UnreadConnection connection, long bytes)
    {
        connection.Bytes += bytes;
        caller.Bytes += bytes;
        _total += bytes;
        _most = Math.Max(_most, _total);
        if (_total == 0)
        {
            if (_most >= Much)
            {
                read();
            }

            _most = 0;
        }
    }

    private void Forget(IPAddress address, Caller caller, UnreadConnection connection)
    {
        caller.Connections.Remove(connection.Waiting!);
        connection.Waiting = null;
        if (caller.Connections.Count == 0)
        {
            _callers.Remove(address);
        }
    }

    /// <summary>What one caller has not read.</summary>
    private sealed class Caller
    {
        /// <summary>The connections with unread bytes, in the order in which they began to wait.</summary>
        public LinkedList<UnreadConnection> Connections { get; } = new();

        public long Bytes { get; set; }
    }
}

/// <summary>What one connection's client has not read, and when bytes came from it last.</summary>
internal sealed class UnreadConnection
{
    private long _lastReceived;
    private volatile bool _hasBegun;

    private readonly UnreadBytes _all;
    private readonly Action _cut;

    internal UnreadConnection(UnreadBytes all, EndPoint? remote, Action cut) => (_all, Remote, _cut) = (all, remote, cut);

    /// <summary>When bytes came from the client last, as a timestamp of <see cref="Stopwatch"/>; 0 before the first.</summary>
    public long LastReceived => Volatile.Read(ref _lastReceived);

    /// <summary>Whether something was written since then: the answer has begun.</summary>
    public bool HasBegun => _hasBegun;

    internal EndPoint? Remote { get; }

    // guarded by UnreadBytes
    internal long Bytes { get; set; }

    internal bool IsCut { get; set; }

    internal LinkedListNode<UnreadConnection>? Waiting { get; set; }

    /// <summary>Bytes have come from the client.</summary>
    public void Received()
    {
        Volatile.Write(ref _lastReceived, Stopwatch.GetTimestamp());
        _hasBegun = false;
    }

    /// <summary>Bytes were written for the client.</summary>
    public void Wrote() => _hasBegun = true;

    /// <summary>Counts bytes that wait for the client until the result is disposed.</summary>
    public Hold Wait(long bytes) => new(this, bytes);

    internal void Cut() => _cut();

    /// <summary>Bytes that are counted.</summary>
    public readonly struct Hold : IDisposable
    {
        private readonly UnreadConnection _connection;
        private readonly long _bytes;

        internal Hold(UnreadConnection connection, long bytes)
        {
            (_connection, _bytes) = (connection, bytes);
            connection._all.Add(connection, bytes);
        }

        public void Dispose() => _connection._all.Remove(_connection, _bytes);
    }
}
