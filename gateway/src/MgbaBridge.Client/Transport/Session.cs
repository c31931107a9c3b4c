using System.Security.Cryptography;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// The gateway's session with one script: its ids, and which of them are still open. It outlives connections, which is what makes
/// resending safe (docs/protocol.md, section 5).
/// </summary>
/// <param name="pace">The pace of the script's frames, which all sessions with one script have in common; null for one of its own.</param>
internal sealed class Session(ScriptPace? pace = null)
{
    private readonly Lock _gate = new();
    private Exchange? _oldest;
    private Exchange? _newest;
    private long _lastId;
    private int _incarnation;

    /// <summary>The name on the wire, random for each process.</summary>
    public string Name { get; } = RandomNumberGenerator.GetHexString(32, lowercase: true);

    /// <summary>How often the script has created this session. Effects that were sent to an earlier one must not be sent again.</summary>
    public int Incarnation => Volatile.Read(ref _incarnation);

    /// <summary>The highest id up to which all requests have completed.</summary>
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

    /// <summary>The pace of the script's frames.</summary>
    public ScriptPace Pace { get; } = pace ?? new ScriptPace();

    /// <summary>The script did not know the session: its kept replies are lost.</summary>
    public void BeginAnew() => Interlocked.Increment(ref _incarnation);

    /// <summary>Assigns an id to an exchange and opens it.</summary>
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

    /// <summary>The exchange has completed: it is not sent again.</summary>
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

/// <summary>The outcome of sending a request on a connection.</summary>
internal enum StartOutcome
{
    /// <summary>The connection has accepted the request and will end the attempt.</summary>
    Started,

    /// <summary>As many requests as allowed are outstanding.</summary>
    Full,

    /// <summary>The connection is closed; nothing was sent.</summary>
    Closed,

    /// <summary>The request cannot be sent on any connection.</summary>
    Refused,
}
