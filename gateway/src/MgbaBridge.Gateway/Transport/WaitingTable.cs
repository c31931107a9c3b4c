namespace MgbaBridge.Gateway.Transport;

/// <summary>The requests of one connection that were written and not answered, by id. An id whose caller left stays as a mark, so that
/// its late reply is known and dropped.</summary>
internal sealed class WaitingTable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<long, Exchange?> _byId = [];
    private bool _closed;

    /// <summary>What became of an id that a reply names.</summary>
    public enum Found
    {
        Unknown,
        Abandoned,
        Waiting,
    }

    /// <summary>How many replies are outstanding, dropped ones included.</summary>
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

    /// <summary>Adds an exchange unless the table is closed or full. <paramref name="closed"/> says which.</summary>
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

    /// <summary>Takes the exchange that a reply belongs to.</summary>
    public Found Take(long id, out Exchange? exchange)
    {
        lock (_gate)
        {
            if (!_byId.Remove(id, out exchange))
            {
                return Found.Unknown;
            }

            exchange?.HeldBy(null);
            return exchange is null ? Found.Abandoned : Found.Waiting;
        }
    }

    /// <summary>Takes the one that has been here longest: where replies have no ids, there is only one at a time.</summary>
    public Found TakeOnly(out Exchange? exchange)
    {
        lock (_gate)
        {
            foreach (var id in _byId.Keys)
            {
                return Take(id, out exchange);
            }

            exchange = null;
            return Found.Unknown;
        }
    }

    /// <summary>Looks for the exchange that a reply belongs to, and leaves it here while its tail is still on the way.</summary>
    public Found Find(long id)
    {
        lock (_gate)
        {
            return !_byId.TryGetValue(id, out var exchange) ? Found.Unknown : exchange is null ? Found.Abandoned : Found.Waiting;
        }
    }

    /// <summary>Takes an exchange and leaves its mark for the late reply.</summary>
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

    /// <summary>Takes all impatient exchanges and leaves their marks.</summary>
    public void AbandonAll(List<Exchange> taken) => Abandon(long.MaxValue, stay: false, taken);

    /// <summary>Takes those whose deadline is not after <paramref name="now"/>, and leaves their marks.</summary>
    public void AbandonOverdue(long now, List<Exchange> taken) => Abandon(now, stay: false, taken);

    /// <summary>Takes those that a silent script ends, and leaves their marks.</summary>
    public void AbandonSilent(List<Exchange> taken) => Abandon(long.MaxValue, stay: true, taken);

    private void Abandon(long now, bool stay, List<Exchange> taken)
    {
        lock (_gate)
        {
            foreach (var exchange in _byId.Values)
            {
                if (exchange is { ExemptFromTimeout: false } && exchange.Deadline <= now && !(stay && exchange.Options.OutlastsSilence))
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

    /// <summary>Takes everything, for good.</summary>
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
