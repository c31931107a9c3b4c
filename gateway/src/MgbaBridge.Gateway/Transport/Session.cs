using System.Security.Cryptography;

namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// The gateway's session with one script: its ids, and which of them are still open. It outlives connections, which is what makes
/// resending safe (docs/protocol.md, section 5).
/// </summary>
public sealed class Session
{
    private readonly Lock _gate = new();
    private Exchange? _oldest;
    private Exchange? _newest;
    private long _lastId;
    private int _incarnation;

    /// <summary>Its name on the wire, random for each process.</summary>
    public string Name { get; } = RandomNumberGenerator.GetHexString(32, lowercase: true);

    /// <summary>How often the script has begun this session anew. What was sent before must not be resent after.</summary>
    public int Incarnation => Volatile.Read(ref _incarnation);

    /// <summary>The highest id below which nothing is open.</summary>
    public long Acknowledged
    {
        get
        {
            lock (_gate)
            {
                return (_oldest?.Id ?? _lastId + 1) - 1;
            }
        }
    }

    /// <summary>The script did not know the session: its replies are gone.</summary>
    public void BeginAnew() => Interlocked.Increment(ref _incarnation);

    /// <summary>Gives an exchange its id and keeps it open.</summary>
    internal void Begin(Exchange exchange)
    {
        lock (_gate)
        {
            exchange.Id = ++_lastId;
            exchange.Older = _newest;
            if (_newest is null)
            {
                _oldest = exchange;
            }
            else
            {
                _newest.Newer = exchange;
            }

            _newest = exchange;
        }
    }

    /// <summary>Nothing more will be sent for this exchange, and nothing more is expected.</summary>
    internal void End(Exchange exchange)
    {
        lock (_gate)
        {
            if (exchange.Older is null)
            {
                _oldest = exchange.Newer;
            }
            else
            {
                exchange.Older.Newer = exchange.Newer;
            }

            if (exchange.Newer is null)
            {
                _newest = exchange.Older;
            }
            else
            {
                exchange.Newer.Older = exchange.Older;
            }

            exchange.Older = null;
            exchange.Newer = null;
        }
    }
}

/// <summary>What became of the wish to send a request on a connection.</summary>
internal enum StartOutcome
{
    /// <summary>It is in the connection's hands and will be ended by it.</summary>
    Started,

    /// <summary>As many as allowed are outstanding.</summary>
    Full,

    /// <summary>The connection is over; nothing of the request left.</summary>
    Closed,

    /// <summary>It cannot be sent, for a reason that another connection would not change.</summary>
    Refused,
}
