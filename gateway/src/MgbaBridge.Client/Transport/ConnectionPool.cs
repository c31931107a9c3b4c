using System.Buffers;
using System.Collections.Immutable;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// The connections to one script. Requests use as few connections as can carry them; further requests wait in order. The supervisor keeps the
/// connections open.
/// </summary>
internal sealed class ConnectionPool : IAsyncDisposable
{
    private static readonly TimeSpan SweepInterval = TimeSpan.FromMilliseconds(25);
    private static readonly RequestClass[] RequestClasses = Enum.GetValues<RequestClass>();

    private readonly string _name;
    private readonly string _address;
    private readonly TransportSettings _settings;
    private readonly MonotonicClock _clock;
    private readonly ILogger _logger;
    private readonly AdmissionQueue[] _queues;

    // by queue: calls of SendWaiting that the thread which sends from it has not looked for yet
    private readonly int[] _calls = new int[RequestClasses.Length];

    private readonly ConnectionSupervisor _supervisor;
    private readonly ITimer _sweep;
    private readonly List<Exchange> _overdue = [];
    private readonly Lock _sweeping = new();
    private readonly Lock _gate = new();
    private Task? _drained;
    private volatile bool _draining;

    /// <summary>Creates a pool, which starts to connect at once.</summary>
    public ConnectionPool(
        string name, EmulatorAddress address, TransportSettings settings, Session session, MonotonicClock clock, MemoryPool<byte> memory, OtherPrograms others, ILogger logger, PoolEvents events)
    {
        (_name, _settings, _clock, _logger) = (name, settings, clock, logger);
        _queues = [.. RequestClasses.Select(_ => new AdmissionQueue(clock))];
        var opener = new ConnectionOpener(address, settings, session, clock, memory, others);
        _address = opener.Address;
        var withFailures = events with { StateChanged = state => StateChanged(state, events) };
        _supervisor = new ConnectionSupervisor(name, opener, settings, session, clock, logger, withFailures, SendWaiting);
        _sweep = clock.Time.CreateTimer(static state => ((ConnectionPool)state!).Sweep(), this, SweepInterval, SweepInterval);
        _supervisor.Start();
    }

    /// <summary>The state of the link to the script.</summary>
    public LinkState State => _supervisor.Link.State;

    /// <summary>Tries to connect now instead of after the present pause; requests wait for the outcome instead of failing at once.</summary>
    public void ConnectNow() => _supervisor.ConnectNow();

    /// <summary>The number of requests sent and not answered.</summary>
    public int InFlight => _supervisor.Open.Sum(open => open.Connection.Outstanding);

    /// <summary>The number of requests that wait for capacity.</summary>
    public int Waiting => _queues.Sum(queue => queue.Count);

    /// <summary>The number of open connections.</summary>
    public int Connections => _supervisor.Open.Length;

    /// <summary>The number of requests sent and not answered on the connections of one request class.</summary>
    public int InFlightOn(RequestClass requestClass) =>
        _supervisor.Open.Sum(open => open.RequestClass == requestClass ? open.Connection.Outstanding : 0);

    /// <summary>The number of requests of one class that wait for capacity.</summary>
    public int WaitingFor(RequestClass requestClass) => _queues[(int)requestClass].Count;

    /// <summary>Sends a request as soon as a connection has capacity for it. The exchange completes with its outcome.</summary>
    public void Start(Exchange exchange)
    {
        var requestClass = exchange.RequestClass;
        var queue = _queues[(int)requestClass];
        if (queue.Count == 0 && TryStart(exchange, requestClass, out var failure))
        {
            if (failure is not null)
            {
                exchange.EndAttempt(Reply.Failed(failure));
            }

            return;
        }

        if (State.Failure is { } why)
        {
            exchange.EndAttempt(Reply.Failed(why));
        }
        else if (_draining || !queue.TryEnqueue(exchange, _settings.Now.MaxWaiting, _settings.Now.WaitTimeout))
        {
            exchange.EndAttempt(Reply.Failed(_draining ? FailureText.Stopping() : FailureText.Overloaded(_settings.Now)));
        }
        else
        {
            // capacity may have become free, or the link gone down, before the request was in the queue
            SendWaiting(requestClass);
            FailWaitingIfDown();
        }
    }

    /// <summary>Accepts no more requests, waits for the pending ones until <paramref name="cancellationToken"/>, and closes. Further calls return
    /// the same task.</summary>
    public Task DrainAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            return _drained ??= DrainOnceAsync(cancellationToken);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await DrainAsync(new CancellationToken(canceled: true));
        await _supervisor.DisposeAsync();
    }

    private async Task DrainOnceAsync(CancellationToken cancellationToken)
    {
        _draining = true;
        _supervisor.BeginDrain();
        await Task.Yield();
        var pending = await _supervisor.DrainAsync(cancellationToken);
        if (pending > 0 && cancellationToken.IsCancellationRequested)
        {
            ClientLog.StoppedEarly(_logger, pending, _name);
        }

        await _sweep.DisposeAsync();
        FailWaiting(FailureText.Stopping());
    }

    private void StateChanged(LinkState state, PoolEvents events)
    {
        events.StateChanged(state);
        FailWaitingIfDown();
    }

    /// <summary>True when a connection has accepted the exchange or refuses it.</summary>
    private bool TryStart(Exchange exchange, RequestClass requestClass, out CommandFailure? failure)
    {
        failure = null;

        // no lambdas here: a closure would be the only allocation of an exchange
        var open = _supervisor.Open;
        Connection? silent = null;
        var (classIsOpen, anyIsOpen) = (false, false);
        foreach (var candidate in open)
        {
            if (candidate.Connection.IsSilent)
            {
                silent = candidate.Connection;
                continue;
            }

            anyIsOpen = true;
            classIsOpen |= candidate.RequestClass == requestClass;
            if (candidate.RequestClass == requestClass && TryStartOn(candidate.Connection, exchange, out failure))
            {
                return true;
            }
        }

        return (!classIsOpen && TryStartOnAny(open, exchange, out failure))
            || (!anyIsOpen && silent is not null && TryStartOn(silent, exchange, out failure))
            || RequestCapacity(open, requestClass);
    }

    // used when no connection of the request class is open
    private static bool TryStartOnAny(ImmutableArray<PooledConnection> open, Exchange exchange, out CommandFailure? failure)
    {
        failure = null;
        foreach (var candidate in open)
        {
            if (!candidate.Connection.IsSilent && TryStartOn(candidate.Connection, exchange, out failure))
            {
                return true;
            }
        }

        return false;
    }

    private bool RequestCapacity(ImmutableArray<PooledConnection> open, RequestClass requestClass)
    {
        if (!open.IsEmpty)
        {
            _supervisor.RequestConnection(requestClass);
        }

        return false;
    }

    private static bool TryStartOn(Connection connection, Exchange exchange, out CommandFailure? failure) =>
        connection.TryStart(exchange, out failure) is StartOutcome.Started or StartOutcome.Refused;

    private void SendWaiting()
    {
        foreach (var requestClass in RequestClasses)
        {
            if (_queues[(int)requestClass].Count > 0)
            {
                SendWaiting(requestClass);
            }
        }
    }

    // one thread at a time, so that requests keep their order; it looks again for those that came meanwhile
    private void SendWaiting(RequestClass requestClass)
    {
        ref var calls = ref _calls[(int)requestClass];
        if (Interlocked.Increment(ref calls) > 1)
        {
            return;
        }

        int seen;
        do
        {
            seen = Volatile.Read(ref calls);
            SendAllFrom(_queues[(int)requestClass], requestClass);
        }
        while (Interlocked.Add(ref calls, -seen) != 0);
    }

    private void SendAllFrom(AdmissionQueue queue, RequestClass requestClass)
    {
        while (queue.TakeFirst() is { } exchange)
        {
            if (!TryStart(exchange, requestClass, out var failure))
            {
                queue.PutBack(exchange);
                return;
            }

            queue.Forget();
            if (failure is not null)
            {
                exchange.EndAttemptElsewhere(Reply.Failed(failure)); // a continuation that blocks would stop the others
            }
        }
    }

    private void Sweep()
    {
        if (!_sweeping.TryEnter())
        {
            return;
        }

        try
        {
            var now = _clock.Check();
            foreach (var requestClass in RequestClasses)
            {
                SendWaiting(requestClass);
                FailOverdue(_queues[(int)requestClass], now, null);
            }

            _supervisor.CloseIdle();
        }
        finally
        {
            _sweeping.Exit();
        }
    }

    private void FailOverdue(AdmissionQueue queue, long now, CommandFailure? why)
    {
        if (queue.Count == 0)
        {
            return;
        }

        queue.TakeOverdue(now, _overdue);
        foreach (var exchange in _overdue)
        {
            // on another thread: a continuation may call back into this method during the enumeration
            exchange.EndAttemptElsewhere(Reply.Failed(why ?? WhyStillWaiting()));
        }

        _overdue.Clear();
    }

    private CommandFailure WhyStillWaiting() =>
        _supervisor.Open.IsEmpty ? _supervisor.Link.LastFailure ?? FailureText.Connecting(_address) : FailureText.Overloaded(_settings.Now);

    private void FailWaitingIfDown()
    {
        if (State.Failure is { } why)
        {
            FailWaiting(why);
        }
    }

    private void FailWaiting(CommandFailure why)
    {
        lock (_sweeping)
        {
            foreach (var queue in _queues)
            {
                FailOverdue(queue, long.MaxValue, why);
            }
        }
    }
}
