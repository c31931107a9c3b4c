using System.Buffers;
using System.Collections.Immutable;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// The connections to one script. Traffic stays on as few as carry it; requests beyond that wait in order; a broken connection is
/// dropped and another opened in its place, whether somebody asks for it or not.
/// </summary>
public sealed partial class ConnectionPool : IAsyncDisposable
{
    private static readonly TimeSpan SweepEvery = TimeSpan.FromMilliseconds(25);
    private static readonly RequestClass[] Lanes = Enum.GetValues<RequestClass>();

    private readonly string _name;
    private readonly TransportSettings _settings;
    private readonly Session _session;
    private readonly MonotonicClock _clock;
    private readonly ILogger _logger;
    private readonly PoolEvents _events;
    private readonly AdmissionQueue[] _queues;
    private readonly ITimer _sweep;
    private readonly List<Exchange> _overdue = [];
    private readonly Lock _sweeping = new();
    private readonly Task _keeping;
    private ImmutableArray<PooledConnection> _open = [];
    private Task? _drained;
    private volatile bool _draining;

    /// <summary>Makes a pool, which begins to connect at once.</summary>
    public ConnectionPool(
        string name, EmulatorAddress address, TransportSettings settings, Session session, MonotonicClock clock, MemoryPool<byte> memory, ILogger logger, PoolEvents events)
    {
        _name = name;
        _settings = settings;
        _session = session;
        _clock = clock;
        _logger = logger;
        _events = events;
        _opener = new Opener(address, settings, session, clock, memory);
        _rules = new ConnectRules(settings.Now, clock.Time, GiveUp);
        _queues = [new AdmissionQueue(clock), new AdmissionQueue(clock), new AdmissionQueue(clock)];
        _sweep = clock.Time.CreateTimer(static state => ((ConnectionPool)state!).Sweep(), this, SweepEvery, SweepEvery);
        _keeping = Task.Run(KeepAsync);
    }

    /// <summary>Requests sent and not answered.</summary>
    public int InFlight => _open.Sum(open => open.Connection.Outstanding);

    /// <summary>Requests waiting for a free place.</summary>
    public int Waiting => _queues.Sum(queue => queue.Count);

    /// <summary>Requests sent and not answered on the connections of one requestClass.</summary>
    public int InFlightOn(RequestClass requestClass) => _open.Sum(open => open.RequestClass == requestClass ? open.Connection.Outstanding : 0);

    /// <summary>Requests of one requestClass that wait for a free place.</summary>
    public int WaitingFor(RequestClass requestClass) => _queues[(int)requestClass].Count;

    /// <summary>Open connections.</summary>
    public int Connections => _open.Length;

    /// <summary>Sends a request as soon as there is a place for it. Its exchange tells how it ended.</summary>
    public void Start(Exchange exchange)
    {
        var requestClass = exchange.RequestClass;
        var queue = _queues[(int)requestClass];
        if (queue.Count == 0 && TryStart(exchange, requestClass))
        {
            return;
        }

        if (_state.Failure is { } why)
        {
            exchange.EndAttempt(Reply.Failed(why));
        }
        else if (_draining || !queue.TryEnqueue(exchange, _settings.Now.MaxWaiting, _settings.Now.WaitTimeout))
        {
            exchange.EndAttempt(Reply.Failed(_draining ? FailureText.Stopping() : FailureText.Overloaded(_settings.Now)));
        }
        else
        {
            // a place may have come free, or hope been given up, between looking and waiting
            Drain(requestClass);
            FailWaitingIfDown();
        }
    }

    /// <summary>Takes no more requests, waits for those under way until <paramref name="cancellationToken"/>, and closes. Once: who asks
    /// again waits for the same end.</summary>
    public Task DrainAsync(CancellationToken cancellationToken)
    {
        lock (_standing)
        {
            return _drained ??= DrainOnceAsync(cancellationToken);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await DrainAsync(new CancellationToken(canceled: true));
        _stopping.Dispose();
        _wanted.Dispose();
    }

    private async Task DrainOnceAsync(CancellationToken cancellationToken)
    {
        _draining = true;
        await Task.Yield();
        await _stopping.CancelAsync();
        await _keeping;
        var left = InFlight;
        await Task.WhenAll(_open.Select(open => open.Connection.DrainAsync(cancellationToken)));
        if (left > 0 && cancellationToken.IsCancellationRequested)
        {
            Log.StoppedEarly(_logger, left, _name);
        }

        await _sweep.DisposeAsync();
        EndWaiting(FailureText.Stopping());
    }

    /// <summary>True when the exchange is in good hands or ended.</summary>
    private bool TryStart(Exchange exchange, RequestClass requestClass)
    {
        // no lambdas here: one that captures would be the only allocation of an exchange
        var open = _open;
        Connection? silent = null;
        var (laneIsOpen, anyIsOpen) = (false, false);
        foreach (var candidate in open)
        {
            if (candidate.Connection.IsSilent)
            {
                silent = candidate.Connection;
                continue;
            }

            anyIsOpen = true;
            laneIsOpen |= candidate.RequestClass == requestClass;
            if (candidate.RequestClass == requestClass && TryStartOn(candidate.Connection, exchange))
            {
                return true;
            }
        }

        return (!laneIsOpen && TryStartElsewhere(open, exchange))
            || (!anyIsOpen && silent is not null && TryStartOn(silent, exchange))
            || NoPlace(open, requestClass);
    }

    // better in the wrong requestClass than nowhere
    private static bool TryStartElsewhere(ImmutableArray<PooledConnection> open, Exchange exchange)
    {
        foreach (var candidate in open)
        {
            if (!candidate.Connection.IsSilent && TryStartOn(candidate.Connection, exchange))
            {
                return true;
            }
        }

        return false;
    }

    private bool NoPlace(ImmutableArray<PooledConnection> open, RequestClass requestClass)
    {
        if (!open.IsEmpty)
        {
            WantMore(requestClass);
        }

        return false;
    }

    private static bool TryStartOn(Connection connection, Exchange exchange)
    {
        switch (connection.TryStart(exchange, out var refusal))
        {
            case StartOutcome.Started: return true;
            case StartOutcome.Refused: exchange.EndAttempt(Reply.Failed(refusal!)); return true;
            default: return false;
        }
    }

    private void Drain(RequestClass requestClass)
    {
        var queue = _queues[(int)requestClass];
        while (queue.Count > 0 && queue.Dequeue() is { } exchange)
        {
            if (!TryStart(exchange, requestClass))
            {
                queue.PutBack(exchange);
                return;
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
            foreach (var requestClass in Lanes)
            {
                Drain(requestClass);
                EndOverdue(_queues[(int)requestClass], _clock.Now, null);
            }

            RetireIdle();
        }
        finally
        {
            _sweeping.Exit();
        }
    }

    private void EndOverdue(AdmissionQueue queue, long now, FailureReport? why)
    {
        if (queue.Count == 0)
        {
            return;
        }

        queue.TakeOverdue(now, _overdue);
        foreach (var exchange in _overdue)
        {
            // elsewhere: its caller goes on at once, and may come back here while this list is walked
            exchange.EndAttemptElsewhere(Reply.Failed(why ?? WhyStillWaiting()));
        }

        _overdue.Clear();
    }

    private FailureReport WhyStillWaiting() =>
        _open.IsEmpty ? _lastFailure ?? FailureText.Connecting(_opener.Address) : FailureText.Overloaded(_settings.Now);

    private void FailWaitingIfDown()
    {
        if (_state.Failure is { } why)
        {
            EndWaiting(why);
        }
    }

    private void EndWaiting(FailureReport why)
    {
        lock (_sweeping)
        {
            foreach (var queue in _queues)
            {
                EndOverdue(queue, long.MaxValue, why);
            }
        }
    }

    private readonly record struct PooledConnection(Connection Connection, RequestClass RequestClass);
}
