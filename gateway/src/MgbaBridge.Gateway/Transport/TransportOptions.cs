using System.Collections.Concurrent;

namespace MgbaBridge.Gateway.Transport;

/// <summary>How connections to one emulator are kept. Every time has a unit: write <c>00:00:01</c> for a second.</summary>
public sealed record TransportOptions
{
    /// <summary>Connections kept open, 1..16, default 2: one for small requests, one for transfers.</summary>
    public int MinConnections { get; set; } = 2;

    /// <summary>Connections at most, MinConnections..64, default 4. Few are faster: the script serves the busiest first.</summary>
    public int MaxConnections { get; set; } = 4;

    /// <summary>Requests sent and not answered on one connection, 1..256, default 128. Beyond, requests wait in order.</summary>
    public int MaxInFlight { get; set; } = 128;

    /// <summary>Requests waiting for a free place, 0..100000, default 4096. Beyond, they fail as overloaded at once.</summary>
    public int MaxWaiting { get; set; } = 4_096;

    /// <summary>How long a request waits for a free place, 1 ms..1 min, default 1 s. Beyond, it fails as overloaded.</summary>
    public TimeSpan WaitTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a connection may take to be accepted, 10 ms..1 min, default 1 s.</summary>
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a request may take in all, 10 ms..10 min, default 3 s. Beyond, it is cancelled in the script.</summary>
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(3);

    /// <summary>How long the script may give no sign while it is asked something, 50 ms..1 min, default 250 ms. Beyond, it counts as silent.</summary>
    public TimeSpan SilentAfter { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>How often an idle connection asks for a sign of life, 100 ms..10 min, default 1 s.</summary>
    public TimeSpan HeartbeatEvery { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The longest pause between two attempts to connect, 10 ms..10 s, default 200 ms.</summary>
    public TimeSpan MaxConnectDelay { get; set; } = TimeSpan.FromMilliseconds(200);

    /// <summary>How long a connection beyond MinConnections may be without a request, 1 s..1 day, default 1 min. Then it is closed.</summary>
    public TimeSpan IdleTimeout { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How long a script may take to close its side of a connection that the gateway ends, 0..10 s, default 500 ms.</summary>
    public TimeSpan CloseTimeout { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Attempts for one request, 1..10, default 3. Only failures that the table marks as retried are tried again.</summary>
    public int MaxAttempts { get; set; } = 3;

    /// <summary>The largest reply tail accepted, 64 KiB..64 MiB, default 4 MiB. Beyond, the reply is dropped and the request fails.</summary>
    public int MaxReplyTail { get; set; } = 4_194_304;

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate() =>
        Rules().Where(rule => !rule.Valid).Select(rule => $"{rule.Name} has to be {rule.Limits}.");

    private IEnumerable<(bool Valid, string Name, string Limits)> Rules() =>
    [
        (MinConnections is >= 1 and <= 16, nameof(MinConnections), "1..16"),
        (MaxConnections >= MinConnections && MaxConnections <= 64, nameof(MaxConnections), "MinConnections..64"),
        (MaxInFlight is >= 1 and <= 256, nameof(MaxInFlight), "1..256"),
        (MaxWaiting is >= 0 and <= 100_000, nameof(MaxWaiting), "0..100000"),
        (Within(WaitTimeout, 1, 60_000), nameof(WaitTimeout), "1 ms..1 min"),
        (Within(ConnectTimeout, 10, 60_000), nameof(ConnectTimeout), "10 ms..1 min"),
        (Within(RequestTimeout, 10, 600_000), nameof(RequestTimeout), "10 ms..10 min"),
        (Within(SilentAfter, 50, 60_000), nameof(SilentAfter), "50 ms..1 min"),
        (Within(HeartbeatEvery, 100, 600_000), nameof(HeartbeatEvery), "100 ms..10 min"),
        (Within(MaxConnectDelay, 10, 10_000), nameof(MaxConnectDelay), "10 ms..10 s"),
        (Within(IdleTimeout, 1_000, 86_400_000), nameof(IdleTimeout), "1 s..1 day"),
        (Within(CloseTimeout, 0, 10_000), nameof(CloseTimeout), "0..10 s"),
        (MaxAttempts is >= 1 and <= 10, nameof(MaxAttempts), "1..10"),
        (MaxReplyTail is >= 65_536 and <= 67_108_864, nameof(MaxReplyTail), "64 KiB..64 MiB (bytes)"),
    ];

    private static bool Within(TimeSpan value, int leastMilliseconds, int mostMilliseconds) =>
        value >= TimeSpan.FromMilliseconds(leastMilliseconds) && value <= TimeSpan.FromMilliseconds(mostMilliseconds);
}

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

/// <summary>Where an emulator's script listens, and how to know that it is the right one.</summary>
public sealed record EmulatorAddress
{
    /// <summary>Host name or address, default <c>127.0.0.1</c>.</summary>
    public string Host { get; init; } = "127.0.0.1";

    /// <summary>The port, 1..65535; null to look for a script on 8888..8903.</summary>
    public int? Port { get; init; }

    /// <summary>The secret the script was started with, or null for none.</summary>
    public string? Secret { get; init; }

    /// <summary>The nonce the script was started with, or null to take any.</summary>
    public string? Nonce { get; init; }
}
