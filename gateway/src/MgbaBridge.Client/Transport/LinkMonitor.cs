using System.Collections.Immutable;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Transport;

/// <summary>Derives the state of the link to one script from its connections and attempts to connect, and reports each change.</summary>
internal sealed class LinkMonitor(string address, TransportSettings settings, Func<ImmutableArray<PooledConnection>> connections, Action<LinkState> changed)
{
    private readonly Lock _gate = new();

    // one thread at a time reports, so that changes arrive in their order
    private readonly Queue<LinkState> _unreported = new();
    private bool _reporting;
    private volatile LinkState _state = new(LinkPhase.Connecting, null, null);
    private volatile CommandFailure? _lastFailure;
    private volatile bool _failsAtOnce;
    private volatile bool _handshakeSilent;
    private volatile bool _stopped;

    /// <summary>The present state.</summary>
    public LinkState State => _state;

    /// <summary>The failure of the last attempt to connect, or null after a success.</summary>
    public CommandFailure? LastFailure => _lastFailure;

    /// <summary>A connection was opened.</summary>
    public void ConnectionOpened() => (_failsAtOnce, _lastFailure) = (false, null);

    /// <summary>An attempt to connect failed.</summary>
    public void ConnectFailed(CommandFailure failure)
    {
        _lastFailure = failure;
        if (ConnectBackOff.IsPermanent(failure))
        {
            _failsAtOnce = true;
        }

        Update();
    }

    /// <summary>Repeated attempts to connect have failed: requests fail at once from now on.</summary>
    public void FailedRepeatedly()
    {
        _failsAtOnce = true;
        Update();
    }

    /// <summary>The next attempt to connect is made now: requests wait for its outcome.</summary>
    public void AttemptNow()
    {
        _failsAtOnce = false;
        Update();
    }

    /// <summary>The script became silent or responsive during a handshake.</summary>
    public void HandshakeSilenceChanged(bool silent)
    {
        _handshakeSilent = silent;
        Update();
    }

    /// <summary>A handshake has ended.</summary>
    public void HandshakeEnded() => _handshakeSilent = false;

    /// <summary>Reports no more changes: the pool closes its connections itself.</summary>
    public void Stop() => _stopped = true;

    /// <summary>Determines the state again and reports it if it has changed.</summary>
    public void Update()
    {
        if (_stopped)
        {
            return;
        }

        lock (_gate)
        {
            var open = connections();
            var state = Determine(open) with { Hello = open is [.., var newest] ? newest.Connection.Hello : _state.Hello };
            if (state == _state)
            {
                return;
            }

            _state = state;
            _unreported.Enqueue(state);
            if (_reporting)
            {
                return;
            }

            _reporting = true;
        }

        while (NextUnreported() is { } next)
        {
            changed(next);
        }
    }

    private LinkState? NextUnreported()
    {
        lock (_gate)
        {
            _reporting = _unreported.TryDequeue(out var next);
            return next;
        }
    }

    private LinkState Determine(ImmutableArray<PooledConnection> open)
    {
        if (open.Any(pooled => !pooled.Connection.IsSilent))
        {
            return new LinkState(LinkPhase.Up, null, null);
        }

        if (!open.IsEmpty || _handshakeSilent)
        {
            var (silent, after) = open is [var first, ..] ? (first.Connection.Address, first.Connection.SilenceTimeout) : (address, settings.Now.SilenceTimeout);
            return new LinkState(LinkPhase.Silent, FailureText.Silent(silent, after), null);
        }

        return _failsAtOnce && _lastFailure is { } failure
            ? new LinkState(LinkPhase.Down, failure, null)
            : new LinkState(LinkPhase.Connecting, null, null);
    }
}

/// <summary>The state of the link to a script.</summary>
/// <param name="Phase">The phase.</param>
/// <param name="Failure">Why requests fail at once, or null when they do not.</param>
/// <param name="Hello">The script's last reply to hello, or null.</param>
internal sealed record LinkState(LinkPhase Phase, CommandFailure? Failure, HelloReply? Hello);

/// <summary>The phase of the link to a script.</summary>
internal enum LinkPhase
{
    /// <summary>No connection is open yet: requests wait.</summary>
    Connecting,

    /// <summary>At least one connection is open and responsive.</summary>
    Up,

    /// <summary>The port accepts connections, but the script sends nothing.</summary>
    Silent,

    /// <summary>Attempts to connect have failed: requests fail at once while the attempts continue.</summary>
    Down,
}
