using System.Collections.Concurrent;

namespace MgbaBridge.Gateway.Transport;

/// <summary>The transport's settings as they are now: some may change while the gateway runs.</summary>
public sealed class TransportSettings(TransportOptions start)
{
    private readonly ConcurrentQueue<TransportSettings> _followers = [];
    private TransportOptions _now = start;

    /// <summary>Those that apply at once, with how to read each. The others take a restart.</summary>
    public static IReadOnlyDictionary<string, Func<TransportOptions, object>> Live { get; } = new Dictionary<string, Func<TransportOptions, object>>(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(TransportOptions.WaitTimeout)] = options => options.WaitTimeout,
        [nameof(TransportOptions.ConnectTimeout)] = options => options.ConnectTimeout,
        [nameof(TransportOptions.RequestTimeout)] = options => options.RequestTimeout,
        [nameof(TransportOptions.SilentAfter)] = options => options.SilentAfter,
        [nameof(TransportOptions.HeartbeatEvery)] = options => options.HeartbeatEvery,
        [nameof(TransportOptions.IdleTimeout)] = options => options.IdleTimeout,
        [nameof(TransportOptions.MaxInFlight)] = options => options.MaxInFlight,
        [nameof(TransportOptions.MaxWaiting)] = options => options.MaxWaiting,
        [nameof(TransportOptions.MaxReplyTail)] = options => options.MaxReplyTail,
    };

    /// <summary>As they are now.</summary>
    public TransportOptions Now => Volatile.Read(ref _now);

    /// <summary>Takes over what applies at once.</summary>
    public void Change(TransportOptions next)
    {
        Volatile.Write(ref _now, Now with
        {
            WaitTimeout = next.WaitTimeout,
            ConnectTimeout = next.ConnectTimeout,
            RequestTimeout = next.RequestTimeout,
            SilentAfter = next.SilentAfter,
            HeartbeatEvery = next.HeartbeatEvery,
            IdleTimeout = next.IdleTimeout,
            MaxInFlight = next.MaxInFlight,
            MaxWaiting = next.MaxWaiting,
            MaxReplyTail = next.MaxReplyTail,
        });
        foreach (var follower in _followers)
        {
            follower.Change(next);
        }
    }

    /// <summary>The same for a pool of a single connection, which follow these.</summary>
    public TransportSettings Alone()
    {
        var alone = new TransportSettings(Now with { MinConnections = 1, MaxConnections = 1 });
        _followers.Enqueue(alone);
        return alone;
    }
}
