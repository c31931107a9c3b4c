using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <content>Knowing how things stand with the script, and telling it.</content>
public sealed partial class ConnectionPool
{
    private volatile LinkState _state = new(LinkPhase.Connecting, null, null);
    private FailureReport? _lastFailure;
    private bool _givenUp;
    private bool _greetingSilent;

    /// <summary>How the pool stands with its script.</summary>
    public LinkState State => _state;

    private void SilenceChanged(Connection connection, bool silent)
    {
        if (silent)
        {
            // it is one script: whether it is silent, the others find out now and not with their next heartbeat
            foreach (var open in _open)
            {
                open.Connection.RequestHeartbeat();
            }
        }

        Reconsider();
    }

    private void GreetingFellSilent(bool silent)
    {
        _greetingSilent = silent;
        Reconsider();
    }

    private void GiveUp()
    {
        _givenUp = true;
        Reconsider();
    }

    /// <summary>Works out how things stand, tells it when it changed, and keeps nobody waiting for what will not come.</summary>
    private void Reconsider()
    {
        if (_draining)
        {
            // connections end because they are told to, which is no news
            return;
        }

        LinkState state;
        lock (_standing)
        {
            var hello = _open is [.., var newest] ? newest.Connection.Hello : _state.Hello;
            state = Standing() with { Hello = hello };
            if (state == _state)
            {
                return;
            }

            _state = state;
        }

        _events.StateChanged(state);
        FailWaitingIfDown();
    }

    private LinkState Standing()
    {
        if (_open.Any(open => !open.Connection.IsSilent))
        {
            return new LinkState(LinkPhase.Up, null, null);
        }

        if (!_open.IsEmpty || _greetingSilent)
        {
            var address = _open is [var first, ..] ? first.Connection.Address : _opener.Address;
            return new LinkState(LinkPhase.Silent, FailureText.Silent(address, _settings.Now.SilentAfter), null);
        }

        return _givenUp && _lastFailure is { } failure
            ? new LinkState(LinkPhase.Down, failure, null)
            : new LinkState(LinkPhase.Connecting, null, null);
    }
}
