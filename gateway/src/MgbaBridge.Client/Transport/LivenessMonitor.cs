using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// Detects a silent script on one connection: it has sent nothing for <see cref="Connection.SilenceTimeout"/> although replies are outstanding.
/// Sends heartbeats on an idle connection, and before a slow request counts as silence.
/// </summary>
internal sealed class LivenessMonitor(Connection connection, PendingRequests pending, RequestTimeouts timeouts, TransportSettings settings, MonotonicClock clock)
{
    // a script that had no processor for a moment still replies, and only its reply says whether an effect ran
    private const int EffectsOutlast = 4;

    private long _lastActivity = clock.Now;
    private long _pendingSince;
    private volatile bool _isSilent;
    private volatile bool _effectsFailed;
    private volatile bool _heartbeatRequested;
    private volatile bool _saidHello;
    private bool _heartbeatSent;

    /// <summary>Whether the script sends nothing although replies are outstanding.</summary>
    public bool IsSilent => _isSilent;

    /// <summary>Enables heartbeats: the handshake has succeeded.</summary>
    public void CompleteHandshake() => _saidHello = true;

    /// <summary>Sends a heartbeat at the next check if the connection is idle.</summary>
    public void RequestHeartbeat() => _heartbeatRequested = true;

    /// <summary>Bytes arrived from the script.</summary>
    public void RecordActivity()
    {
        Volatile.Write(ref _lastActivity, clock.Now);
        if (_isSilent)
        {
            _isSilent = _effectsFailed = false;
            connection.Events.SilenceChanged(connection, false);
        }
    }

    /// <summary>Checks for silence. Not to be called concurrently.</summary>
    public void Check(long now)
    {
        if (pending.Count == 0)
        {
            // the silence timeout starts with the next request
            _pendingSince = 0;
            _heartbeatSent = false;
            if (_saidHello && (_heartbeatRequested || clock.Between(_lastActivity, now) >= settings.Now.HeartbeatInterval))
            {
                SendHeartbeat(now);
            }

            return;
        }

        if (_pendingSince == 0)
        {
            _pendingSince = now;
        }

        var quiet = clock.Between(Math.Max(_pendingSince, Volatile.Read(ref _lastActivity)), now);
        var limit = connection.SilenceTimeout;
        if (quiet >= limit && !_isSilent)
        {
            DetectSilence();
        }
        else if (quiet >= limit * EffectsOutlast && !_effectsFailed)
        {
            FailEffects();
        }
        else if (quiet >= limit / 3 && !_heartbeatSent && _saidHello)
        {
            // a request that takes many frames is not silence: the script still answers a heartbeat
            SendHeartbeat(now);
        }
        else if (quiet < limit / 3)
        {
            _heartbeatSent = false;
        }
    }

    private void SendHeartbeat(long now)
    {
        _pendingSince = _pendingSince == 0 ? now : _pendingSince;
        _heartbeatSent = true;
        _heartbeatRequested = false;
        connection.SendUnattended(new Ping());
    }

    private void DetectSilence()
    {
        if (!HasSpoken())
        {
            _isSilent = true;
            connection.Events.SilenceChanged(connection, true);
            timeouts.FailSilent(CommandKind.Read);
        }
    }

    private void FailEffects()
    {
        if (!HasSpoken())
        {
            _effectsFailed = true;
            timeouts.FailSilent(CommandKind.Effect);
        }
    }

    // on a busy machine the script's bytes may have arrived without having been read
    private bool HasSpoken()
    {
        var hasSpoken = connection.HasUnreadBytes();
        if (hasSpoken)
        {
            RecordActivity();
        }

        return hasSpoken;
    }
}
