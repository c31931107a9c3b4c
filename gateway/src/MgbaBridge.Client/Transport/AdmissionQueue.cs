namespace MgbaBridge.Client.Transport;

/// <summary>The queue of requests that wait for capacity. It is linked through the exchanges, so waiting allocates nothing.</summary>
internal sealed class AdmissionQueue(MonotonicClock clock) : IExchangeHolder
{
    private readonly Lock _gate = new();
    private Exchange? _first;
    private Exchange? _last;
    private int _count;

    /// <summary>The number of requests, with the one that was taken.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Adds an exchange at the end. False if <paramref name="limit"/> are waiting already.</summary>
    public bool TryEnqueue(Exchange exchange, int limit, TimeSpan timeLimit)
    {
        var id = exchange.Id;
        lock (_gate)
        {
            if (_count >= limit)
            {
                return false;
            }

            exchange.WaitDeadline = Math.Min(clock.After(clock.Now, timeLimit), exchange.Deadline);
            exchange.Ahead = _last;
            if (_last is null)
            {
                _first = exchange;
            }
            else
            {
                _last.Behind = exchange;
            }

            _last = exchange;
            _count++;
            exchange.HeldBy(this);
        }

        exchange.EndIfCallerLeft(this, id);
        return true;
    }

    /// <summary>Takes the oldest exchange, which counts until <see cref="PutBack"/> or <see cref="Forget"/>: a new one must not overtake it.</summary>
    public Exchange? TakeFirst()
    {
        lock (_gate)
        {
            return _first is null ? null : Unlink(_first);
        }
    }

    /// <summary>The exchange that was taken waits no more.</summary>
    public void Forget()
    {
        lock (_gate)
        {
            _count--;
        }
    }

    /// <summary>Returns an exchange to the front: there was no capacity for it.</summary>
    public void PutBack(Exchange exchange)
    {
        var id = exchange.Id;
        lock (_gate)
        {
            exchange.Behind = _first;
            if (_first is null)
            {
                _last = exchange;
            }
            else
            {
                _first.Ahead = exchange;
            }

            _first = exchange;
            exchange.HeldBy(this);
        }

        exchange.EndIfCallerLeft(this, id);
    }

    public bool TryRelease(Exchange exchange, long id)
    {
        lock (_gate)
        {
            for (var waiting = _first; waiting is not null; waiting = waiting.Behind)
            {
                if (waiting == exchange && waiting.Id == id)
                {
                    Unlink(exchange);
                    _count--;
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>Removes the exchanges whose wait has timed out by <paramref name="now"/>, or all.</summary>
    public void TakeOverdue(long now, List<Exchange> taken)
    {
        lock (_gate)
        {
            for (var waiting = _first; waiting is not null;)
            {
                var next = waiting.Behind;
                if (waiting.WaitDeadline <= now)
                {
                    taken.Add(Unlink(waiting));
                    _count--;
                }

                waiting = next;
            }
        }
    }

    private Exchange Unlink(Exchange exchange)
    {
        if (exchange.Ahead is null)
        {
            _first = exchange.Behind;
        }
        else
        {
            exchange.Ahead.Behind = exchange.Behind;
        }

        if (exchange.Behind is null)
        {
            _last = exchange.Ahead;
        }
        else
        {
            exchange.Behind.Ahead = exchange.Ahead;
        }

        exchange.Ahead = null;
        exchange.Behind = null;
        exchange.HeldBy(null);
        return exchange;
    }
}
