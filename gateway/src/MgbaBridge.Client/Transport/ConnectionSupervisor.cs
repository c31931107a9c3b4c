using System.Collections.Immutable;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Diagnostics;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// Keeps the connections to one script at their number: opens missing ones with back-off, replaces lost ones, adds some under load, and closes those
/// that have been idle for long.
/// </summary>
internal sealed class ConnectionSupervisor : IAsyncDisposable
{
    private readonly string _name;
    private readonly TransportSettings _settings;
    private readonly Session _session;
    private readonly MonotonicClock _clock;
    private readonly ILogger _logger;
    private readonly ConnectionOpener _opener;
    private readonly ConnectBackOff _backOff;
    private readonly LinkMonitor _link;
    private readonly Action _capacityFreed;
    private readonly ConnectionEvents _events;
    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _wakeUp = new(0, 1);
    private readonly Lock _gate = new();
    private Task _running = Task.CompletedTask;
    private ImmutableArray<PooledConnection> _open = [];
    private RequestClass? _wanted;
    private int _lost;
    private volatile bool _draining;

    public ConnectionSupervisor(
        string name, ConnectionOpener opener, TransportSettings settings, Session session, MonotonicClock clock, ILogger logger, PoolEvents events, Action capacityFreed)
    {
        (_name, _opener, _settings, _session, _clock, _logger, _capacityFreed) = (name, opener, settings, session, clock, logger, capacityFreed);
        _link = new LinkMonitor(opener.Address, settings, () => _open, events.StateChanged);
        _backOff = new ConnectBackOff(settings.Now, clock.Time, _link.FailedRepeatedly);
        _events = new ConnectionEvents(_ => capacityFreed(), Remove, SilenceChanged, events.EventReceived);
    }

    /// <summary>The open connections.</summary>
    public ImmutableArray<PooledConnection> Open => _open;

    /// <summary>The state of the link.</summary>
    public LinkMonitor Link => _link;

    /// <summary>Starts to connect.</summary>
    public void Start() => _running = Task.Run(RunAsync);

    /// <summary>Tries to connect now instead of after the present pause; requests wait for the outcome instead of failing at once.</summary>
    public void ConnectNow()
    {
        _backOff.EndPause();
        _link.AttemptNow();
    }

    /// <summary>Opens another connection for a request class unless the pool is at its maximum.</summary>
    public void RequestConnection(RequestClass requestClass)
    {
        if (_open.Length < _settings.Now.MaxConnections)
        {
            _wanted = requestClass;
            WakeUp();
        }
    }

    /// <summary>Closes one connection beyond MinConnections that has been idle for long, the newest first.</summary>
    public void CloseIdle()
    {
        PooledConnection idle = default;
        lock (_gate)
        {
            if (_open.Length > _settings.Now.MinConnections && !_draining)
            {
                idle = _open.LastOrDefault(open => IsIdle(open.Connection) && IsSpare(open.RequestClass));
                _open = idle.Connection is null ? _open : _open.Remove(idle);
            }
        }

        if (idle.Connection is not null)
        {
            ClientMetrics.ConnectionClosed(_name, idle.RequestClass.ToString());
            ClientLog.Disconnected(_logger, _name, idle.RequestClass.ToString(), FailureText.Idle().Detail);
            _ = idle.Connection.RetireAsync();
        }
    }

    /// <summary>Reports no more changes and closes no more idle connections: the pool is about to drain.</summary>
    public void BeginDrain()
    {
        _draining = true;
        _link.Stop();
    }

    /// <summary>Stops opening connections, and drains and closes the open ones.</summary>
    /// <returns>The requests that were pending before.</returns>
    public async Task<int> DrainAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync();
        await _running;
        var pending = _open.Sum(open => open.Connection.Outstanding);
        await Task.WhenAll(_open.Select(open => open.Connection.DrainAsync(cancellationToken)));
        return pending;
    }

    public async ValueTask DisposeAsync()
    {
        await _running;
        _stopping.Dispose();
        _wakeUp.Dispose();
    }

    /// <summary>Opens one connection after another: with two concurrent hellos of a session it would be unknown which one created the session in
    /// the script.</summary>
    private async Task RunAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                if (ClassToOpen() is { } requestClass)
                {
                    var outcome = await _backOff.OpenAsync(OpenOnceAsync, _stopping.Token);
                    Add(outcome.Connection!, outcome.Hello!, requestClass);
                }
                else
                {
                    await _wakeUp.WaitAsync(_stopping.Token);
                }
            }
            catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
            {
                return;
            }
            catch (Exception exception)
            {
                // without this loop the emulator would never be reconnected
                ClientLog.ConnectionDefect(_logger, _name, exception);
                await Task.Delay(_settings.Now.MaxConnectDelay, _clock.Time, CancellationToken.None);
            }
        }
    }

    private async ValueTask<OpenOutcome> OpenOnceAsync(CancellationToken cancellationToken)
    {
        var duringHandshake = ConnectionEvents.None with { SilenceChanged = (_, silent) => _link.HandshakeSilenceChanged(silent) };
        int? knownPort = _open is [var first, ..] ? first.Connection.Hello.Port : null;
        OpenOutcome outcome;
        try
        {
            outcome = await _opener.OpenAsync(knownPort, duringHandshake, cancellationToken);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            ClientLog.ConnectionDefect(_logger, _name, exception);
            outcome = OpenOutcome.Failed(FailureText.ConnectFailed(_opener.Address, exception.Message));
        }

        _link.HandshakeEnded();
        if (outcome.Failure is { } failure)
        {
            cancellationToken.ThrowIfCancellationRequested();
            ClientMetrics.ConnectFailed(_name, failure.Rule.Name);
            _link.ConnectFailed(failure);
        }

        return outcome;
    }

    private void Add(Connection connection, HelloReply hello, RequestClass requestClass)
    {
        if (!hello.Resumed)
        {
            _session.BeginAnew();
        }

        connection.CompleteHandshake(hello, _session.Incarnation, _events);
        var older = _open;
        bool reopened;
        lock (_gate)
        {
            reopened = _lost > 0;
            _lost -= reopened ? 1 : 0;
            _open = _open.Add(new PooledConnection(connection, requestClass));
        }

        _link.ConnectionOpened();
        ClientLog.Connected(_logger, _name, hello.Script, connection.Address, requestClass.ToString(), hello.Title ?? "none");
        ClientMetrics.ConnectionOpened(_name, requestClass.ToString(), reopened);
        if (connection.ClosedBy is { } closedBy)
        {
            // it closed before its events were connected
            Remove(connection, closedBy);
        }

        if (!hello.Resumed)
        {
            CloseAll(older, FailureText.ConnectionLost(connection.Address, "the script was reloaded."));
        }

        _link.Update();
        _capacityFreed();
    }

    private static void CloseAll(IEnumerable<PooledConnection> connections, CommandFailure why)
    {
        foreach (var older in connections)
        {
            older.Connection.Close(why);
        }
    }

    private RequestClass? ClassToOpen()
    {
        var open = _open;
        var interactive = open.Count(candidate => candidate.RequestClass == RequestClass.Interactive);
        if (interactive == 0)
        {
            return RequestClass.Interactive;
        }

        if (open.Length == interactive && _settings.Now.MaxConnections > 1 && (_settings.Now.MinConnections > 1 || _wanted == RequestClass.Slow))
        {
            _wanted = _wanted == RequestClass.Slow ? null : _wanted;
            return RequestClass.Slow;
        }

        var wanted = _wanted;
        _wanted = null;
        return open.Length < _settings.Now.MinConnections ? RequestClass.Interactive
            : open.Length < _settings.Now.MaxConnections ? wanted
            : null;
    }

    private void WakeUp()
    {
        lock (_gate)
        {
            if (_wakeUp.CurrentCount == 0)
            {
                _wakeUp.Release();
            }
        }
    }

    private void Remove(Connection connection, CommandFailure why)
    {
        PooledConnection removed;
        lock (_gate)
        {
            removed = _open.FirstOrDefault(open => open.Connection == connection);
            _open = _open.Remove(removed);
            _lost += removed.Connection is null ? 0 : 1;
        }

        if (removed.Connection is not null)
        {
            ClientMetrics.ConnectionClosed(_name, removed.RequestClass.ToString());
            ClientLog.Disconnected(_logger, _name, removed.RequestClass.ToString(), why.Detail);
            _link.Update();
            WakeUp();
        }
    }

    private void SilenceChanged(Connection connection, bool silent)
    {
        if (silent)
        {
            // all connections lead to one script: the others check now instead of at their next heartbeat
            foreach (var open in _open)
            {
                open.Connection.RequestHeartbeat();
            }
        }

        _link.Update();
    }

    // where two connections are kept, one of each request class remains
    private bool IsSpare(RequestClass requestClass) =>
        _open.Count(other => other.RequestClass == requestClass) > 1 || (requestClass != RequestClass.Interactive && _settings.Now.MinConnections == 1);

    private bool IsIdle(Connection connection) =>
        _clock.Between(connection.LastUsed, _clock.Now) >= _settings.Now.IdleTimeout && !connection.IsSilent;
}

/// <summary>An open connection and the request class that it serves.</summary>
internal readonly record struct PooledConnection(Connection Connection, RequestClass RequestClass);
