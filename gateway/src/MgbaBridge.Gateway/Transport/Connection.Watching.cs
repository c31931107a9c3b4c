using System.Net.Sockets;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <content>One sweep for all that has to do with time: deadlines, silence, heartbeat.</content>
internal sealed partial class Connection
{
    private static readonly TimeSpan WatchEvery = TimeSpan.FromMilliseconds(25);

    private readonly List<Exchange> _overdue = [];
    private readonly Lock _watching = new();
    private ITimer? _watch;
    private long _lastSign;
    private long _askedSince;
    private volatile bool _silent;
    private volatile bool _signWanted;
    private bool _pinging;

    /// <summary>Whether the script gives no sign although it was asked something.</summary>
    public bool IsSilent => _silent;

    /// <summary>Asks for a sign of life soon, although nothing else is asked.</summary>
    public void RequestHeartbeat() => _signWanted = true;

    private void RecordActivity()
    {
        Volatile.Write(ref _lastSign, _clock.Now);
        if (_silent)
        {
            _silent = false;
            _events.SilenceChanged(this, false);
        }
    }

    private void Watch()
    {
        if (!_watching.TryEnter())
        {
            return;
        }

        try
        {
            var now = _clock.Now;
            EndOverdue(now);
            WatchForSigns(now);
        }
        finally
        {
            _watching.Exit();
        }
    }

    private void EndOverdue(long now)
    {
        _waiting.AbandonOverdue(now, _overdue);
        foreach (var exchange in _overdue)
        {
            var asked = _clock.Between(exchange.StartedAt, exchange.Deadline);
            TakeBackInScript(exchange);
            exchange.EndAttemptElsewhere(Reply.Failed(FailureText.ReplyTimedOut(asked, _silent)));
        }

        _overdue.Clear();
    }

    private void WatchForSigns(long now)
    {
        if (_waiting.Count == 0)
        {
            // nothing is asked: the clock of silence starts with the next request
            _askedSince = 0;
            _pinging = false;
            if (_greeted && (_signWanted || _clock.Between(_lastSign, now) >= _settings.Now.HeartbeatInterval))
            {
                Ask(now);
            }

            return;
        }

        if (_askedSince == 0)
        {
            _askedSince = now;
        }

        var quiet = _clock.Between(Math.Max(_askedSince, Volatile.Read(ref _lastSign)), now);
        if (quiet >= _settings.Now.SilentAfter && !_silent)
        {
            FallSilentUnlessUnread();
        }
        else if (quiet >= _settings.Now.SilentAfter / 3 && !_pinging && _greeted)
        {
            // a request that takes many frames is no silence: ask for a sign
            Ask(now);
        }
        else if (quiet < _settings.Now.SilentAfter / 3)
        {
            _pinging = false;
        }
    }

    private void Ask(long now)
    {
        _askedSince = _askedSince == 0 ? now : _askedSince;
        _pinging = true;
        _signWanted = false;
        SendUnattended(new Ping(), patient: true);
    }

    // on a busy machine, or while another caller's work takes long, what the script said may not have been read yet
    private void FallSilentUnlessUnread()
    {
        if (HasUnread())
        {
            RecordActivity();
        }
        else
        {
            FallSilent();
        }
    }

    private bool HasUnread()
    {
        try
        {
            return _socket.Available > 0;
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            return true; // who reads will see that it is over
        }
    }

    private void FallSilent()
    {
        _silent = true;
        _events.SilenceChanged(this, true);
        _waiting.AbandonSilent(_overdue);
        var silent = FailureText.Silent(_address, _settings.Now.SilentAfter);
        foreach (var exchange in _overdue)
        {
            // an effect may have begun before the silence, and whether the cancel came in time is not known while it lasts
            TakeBackInScript(exchange);
            exchange.EndAttemptElsewhere(Reply.Failed(exchange.Descriptor.Kind == CommandKind.Effect ? FailureText.Indeterminate(silent.Detail) : silent));
        }

        _overdue.Clear();
    }

    /// <summary>Nothing runs after its caller was told that it failed.</summary>
    private void TakeBackInScript(Exchange exchange)
    {
        if (!exchange.Unattended)
        {
            SendUnattended(new Cancel(exchange.Id), patient: true);
        }
    }
}
