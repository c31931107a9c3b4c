using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Transport;

/// <content>Keeping as many connections open as are wanted, and knowing how things stand.</content>
public sealed partial class ConnectionPool
{
    private readonly CancellationTokenSource _stopping = new();
    private readonly SemaphoreSlim _wanted = new(0, 1);
    private readonly Lock _standing = new();
    private readonly Opener _opener;
    private readonly ConnectRules _rules;
    private RequestClass? _more;
    private int _lostConnections;

    // below zero: an older script has no session, so what one connection has sent another must not send again
    private int _legacyIncarnation;

    /// <summary>One after the other: the script must have answered one hello of a session before it sees the next, or which connection
    /// began the session anew could not be told.</summary>
    private async Task KeepAsync()
    {
        while (!_stopping.IsCancellationRequested)
        {
            try
            {
                if (LaneToOpen() is { } requestClass)
                {
                    var outcome = await _rules.OpenAsync(OpenOnceAsync, _stopping.Token);
                    Adopt(outcome.Connection!, outcome.Hello!, requestClass);
                }
                else
                {
                    await _wanted.WaitAsync(_stopping.Token);
                }
            }
            catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
            {
                return;
            }
            catch (Exception exception)
            {
                // whatever it was, an emulator without a keeper would never come back
                Log.ConnectionDefect(_logger, _name, exception);
                await Task.Delay(_settings.Now.MaxConnectDelay, _clock.Time, CancellationToken.None);
            }
        }
    }

    private async ValueTask<OpenOutcome> OpenOnceAsync(CancellationToken cancellationToken)
    {
        var greeting = ConnectionEvents.None with { SilenceChanged = (_, silent) => GreetingFellSilent(silent) };
        int? knownPort = _open is [var first, ..] ? first.Connection.Hello.Port : null;
        OpenOutcome outcome;
        try
        {
            outcome = await _opener.OpenAsync(knownPort, greeting, cancellationToken);
        }
        catch (Exception exception) when (exception is not OperationCanceledException)
        {
            Log.ConnectionDefect(_logger, _name, exception);
            outcome = OpenOutcome.Failed(FailureText.ConnectFailed(_opener.Address, exception.Message));
        }

        _greetingSilent = false;
        if (outcome.Failure is { } failure)
        {
            cancellationToken.ThrowIfCancellationRequested();
            GatewayMetrics.ConnectFailed(_name, failure.Rule.Name);
            _lastFailure = failure;
            _givenUp |= ConnectRules.IsHopeless(failure);
            Reconsider();
        }

        return outcome;
    }

    private void Adopt(Connection connection, HelloReply hello, RequestClass requestClass)
    {
        var anew = !hello.Resumed && !hello.Legacy;
        if (anew)
        {
            _session.BeginAnew();
        }

        connection.Greeted(hello, hello.Legacy ? --_legacyIncarnation : _session.Incarnation, new ConnectionEvents(RoomFreed, Lost, SilenceChanged, _events.Announced));
        var older = _open;
        bool again;
        lock (_standing)
        {
            again = _lostConnections > 0;
            _lostConnections -= again ? 1 : 0;
            _open = _open.Add(new PooledConnection(connection, requestClass));
            _givenUp = false;
            _lastFailure = null;
        }

        Log.Connected(_logger, _name, hello.Script, connection.Address, requestClass.ToString(), hello.Title ?? "none");
        GatewayMetrics.ConnectionOpened(_name, requestClass.ToString(), again);
        if (connection.ClosedBy is { } already)
        {
            // it broke before anybody listened
            Lost(connection, already);
        }

        if (anew)
        {
            DropAll(older, FailureText.ConnectionLost(connection.Address, "the script was loaded anew."));
        }

        Reconsider();
        foreach (var waiting in Lanes)
        {
            Drain(waiting);
        }
    }

    private static void DropAll(IEnumerable<PooledConnection> connections, FailureReport why)
    {
        foreach (var older in connections)
        {
            older.Connection.Close(why);
        }
    }

    private RequestClass? LaneToOpen()
    {
        var open = _open;
        var interactive = open.Count(candidate => candidate.RequestClass == RequestClass.Interactive);
        if (interactive == 0)
        {
            return RequestClass.Interactive;
        }

        if (open.Length == interactive && _settings.Now.MaxConnections > 1 && (_settings.Now.MinConnections > 1 || _more == RequestClass.Bulk))
        {
            return RequestClass.Bulk;
        }

        var wanted = _more;
        _more = null;
        return open.Length < _settings.Now.MinConnections ? RequestClass.Interactive
            : open.Length < _settings.Now.MaxConnections ? wanted
            : null;
    }

    private void WantMore(RequestClass requestClass)
    {
        if (_open.Length < _settings.Now.MaxConnections)
        {
            _more = requestClass;
            Wake();
        }
    }

    private void Wake()
    {
        lock (_standing)
        {
            if (_wanted.CurrentCount == 0)
            {
                _wanted.Release();
            }
        }
    }

    private void RoomFreed(Connection connection)
    {
        for (var requestClass = 0; requestClass < _queues.Length; requestClass++)
        {
            if (_queues[requestClass].Count > 0)
            {
                Drain((RequestClass)requestClass);
            }
        }
    }

    private void Lost(Connection connection, FailureReport why)
    {
        PooledConnection lost;
        lock (_standing)
        {
            lost = _open.FirstOrDefault(open => open.Connection == connection);
            _open = _open.Remove(lost);
            _lostConnections += lost.Connection is null ? 0 : 1;
        }

        if (lost.Connection is not null)
        {
            GatewayMetrics.ConnectionClosed(_name, lost.RequestClass.ToString());
            Log.Disconnected(_logger, _name, lost.RequestClass.ToString(), why.Detail);
            Reconsider();
            Wake();
        }
    }

    /// <summary>What a burst has opened beyond MinConnections goes again when it has not been needed for long; one at a time, newest first.</summary>
    private void RetireIdle()
    {
        PooledConnection idle = default;
        lock (_standing)
        {
            if (_open.Length > _settings.Now.MinConnections && !_draining)
            {
                idle = _open.LastOrDefault(open => IsIdle(open.Connection) && IsSpare(open.RequestClass));
                _open = idle.Connection is null ? _open : _open.Remove(idle);
            }
        }

        if (idle.Connection is not null)
        {
            GatewayMetrics.ConnectionClosed(_name, idle.RequestClass.ToString());
            Log.Disconnected(_logger, _name, idle.RequestClass.ToString(), FailureText.Idle().Detail);
            _ = idle.Connection.RetireAsync();
        }
    }

    // one of each requestClass stays where there are two to keep
    private bool IsSpare(RequestClass requestClass) => _open.Count(other => other.RequestClass == requestClass) > 1 || (requestClass != RequestClass.Interactive && _settings.Now.MinConnections == 1);

    private bool IsIdle(Connection connection) => _clock.Between(connection.LastUsed, _clock.Now) >= _settings.Now.IdleTimeout && !connection.IsSilent;
}
