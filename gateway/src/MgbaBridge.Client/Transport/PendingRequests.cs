using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Transport;

/// <summary>The requests of one connection that were sent and not answered, by id. The id of an abandoned request remains until its late reply,
/// which is then recognized and dropped.</summary>
internal sealed class PendingRequests
{
    private readonly Lock _gate = new();
    private readonly Dictionary<long, Exchange?> _byId = [];
    private bool _closed;

    /// <summary>The number of replies outstanding, including those of abandoned requests.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _byId.Count;
            }
        }
    }

    /// <summary>Adds an exchange unless the table is closed or full. <paramref name="closed"/> is true if it is closed.</summary>
    public bool TryAdd(Exchange exchange, IExchangeHolder holder, int limit, out bool closed)
    {
        lock (_gate)
        {
            closed = _closed;
            if (_closed || _byId.Count >= limit)
            {
                return false;
            }

            _byId.Add(exchange.Id, exchange);
            exchange.HeldBy(holder);
            return true;
        }
    }

    /// <summary>Removes the exchange that a reply belongs to.</summary>
    public PendingState Take(long id, out Exchange? exchange)
    {
        lock (_gate)
        {
            if (!_byId.Remove(id, out exchange))
            {
                return PendingState.Unknown;
            }

            exchange?.HeldBy(null);
            return exchange is null ? PendingState.Abandoned : PendingState.Waiting;
        }
    }

    /// <summary>Finds the exchange that a reply belongs to without removing it.</summary>
    public PendingState Find(long id)
    {
        lock (_gate)
        {
            return !_byId.TryGetValue(id, out var exchange) ? PendingState.Unknown : exchange is null ? PendingState.Abandoned : PendingState.Waiting;
        }
    }

    /// <summary>Abandons one exchange.</summary>
    public bool TryAbandon(Exchange exchange, long id)
    {
        lock (_gate)
        {
            if (!_byId.TryGetValue(id, out var present) || present != exchange)
            {
                return false;
            }

            exchange.HeldBy(null);
            _byId[id] = null;
            return true;
        }
    }

    /// <summary>Abandons all exchanges that are not exempt from timeouts.</summary>
    public void AbandonAll(List<Exchange> taken) => Abandon(long.MaxValue, silent: null, taken);

    /// <summary>Abandons the exchanges whose deadline is at or before <paramref name="now"/>.</summary>
    public void AbandonOverdue(long now, List<Exchange> taken) => Abandon(now, silent: null, taken);

    /// <summary>Abandons the exchanges of a kind that do not outlast silence.</summary>
    public void AbandonSilent(CommandKind kind, List<Exchange> taken) => Abandon(long.MaxValue, kind, taken);

    private void Abandon(long now, CommandKind? silent, List<Exchange> taken)
    {
        lock (_gate)
        {
            foreach (var exchange in _byId.Values)
            {
                if (exchange is { ExemptFromTimeout: false } && exchange.Deadline <= now
                    && (silent is null || (exchange.Descriptor.Kind == silent && !exchange.Options.OutlastsSilence)))
                {
                    taken.Add(exchange);
                }
            }

            foreach (var exchange in taken)
            {
                exchange.HeldBy(null);
                _byId[exchange.Id] = null;
            }
        }
    }

    /// <summary>Removes all exchanges and accepts no more.</summary>
    public void Close(List<Exchange> taken)
    {
        lock (_gate)
        {
            _closed = true;
            foreach (var exchange in _byId.Values)
            {
                if (exchange is not null)
                {
                    exchange.HeldBy(null);
                    taken.Add(exchange);
                }
            }

            _byId.Clear();
        }
    }
}

/// <summary>The state of an id that a reply names.</summary>
internal enum PendingState
{
    /// <summary>No request with this id is pending.</summary>
    Unknown,

    /// <summary>The caller left or was notified of a failure; the reply is dropped.</summary>
    Abandoned,

    /// <summary>A caller awaits the reply.</summary>
    Waiting,
}
