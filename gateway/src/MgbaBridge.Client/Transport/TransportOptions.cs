using System.ComponentModel.DataAnnotations;
using System.Globalization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Client.Transport;

/// <summary>How connections to one emulator are kept. Every time has a unit: write <c>00:00:01</c> for a second.</summary>
internal sealed record TransportOptions
{
    /// <summary>How long a connection may take to be accepted.</summary>
    [TimeRange("00:00:00.010", "00:01:00")]
    public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How long a request may take in all. Beyond, it is cancelled in the script.</summary>
    [TimeRange("00:00:00.010", "00:10:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(3);

    /// <summary>How long the script may give no sign while it is asked something. Beyond, it counts as silent.</summary>
    [TimeRange("00:00:00.050", "00:01:00")]
    public TimeSpan SilenceTimeout { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>The first of the 16 ports on which scripts are searched when no port is set.</summary>
    [Range(1, 65_520)]
    public int FirstScriptPort { get; set; } = Wire.FirstPort;

    /// <summary>Connections kept open: one for small requests, one for slow ones.</summary>
    internal int MinConnections { get; set; } = 2;

    /// <summary>Connections at most. Few are faster, since the script serves the busiest first; those beyond the two are opened under load.</summary>
    internal int MaxConnections { get; set; } = 4;

    /// <summary>Requests sent and not answered on one connection, more than a frame has time for. Beyond, requests wait in order.</summary>
    internal int MaxInFlight { get; set; } = 128;

    /// <summary>Requests that may wait for capacity, as many as the script answers in about a tenth of a second. Further ones fail as overloaded at once.</summary>
    internal int MaxWaiting { get; set; } = 4_096;

    /// <summary>How long a request waits for capacity: a caller had rather know that there is too much. Then it fails as overloaded.</summary>
    internal TimeSpan WaitTimeout { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The interval between heartbeats on an idle connection: what ended is noticed before somebody asks, and costs the game nothing.</summary>
    internal TimeSpan HeartbeatInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The longest pause between two attempts to connect: who has loaded the script does not wait for the gateway.</summary>
    internal TimeSpan MaxConnectDelay { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>How long a connection beyond <see cref="MinConnections"/> may be without a request, so that bursts find it open. Then it is closed.</summary>
    internal TimeSpan IdleTimeout { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>How long a script may take to close its side of a connection that the gateway ends: several frames.</summary>
    internal TimeSpan CloseTimeout { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Attempts for one request: a connection that broke, and one more. Only failures that the table marks as retried are tried again.</summary>
    internal int MaxAttempts { get; set; } = 3;

    /// <summary>The largest reply tail accepted, that of the longest read. Beyond, the reply is dropped and the request fails.</summary>
    internal int MaxReplyTail { get; set; } = Limits.Length;

    /// <summary>The ports on which scripts are searched.</summary>
    internal IEnumerable<int> ScriptPorts => Enumerable.Range(FirstScriptPort, Wire.Ports);

    /// <summary>The same in messages.</summary>
    internal string ScriptPortsText => string.Create(CultureInfo.InvariantCulture, $"{FirstScriptPort}..{FirstScriptPort + Wire.Ports - 1}");
}

/// <summary>The transport's settings as they are now: some may change while the gateway runs.</summary>
internal sealed class TransportSettings
{
    private readonly TransportSettings? _parent;
    private TransportOptions _now;
    private TransportOptions _derivedFrom; // the parent's options that _now was made from

    /// <summary>Starts with these.</summary>
    public TransportSettings(TransportOptions start) => _now = _derivedFrom = start;

    private TransportSettings(TransportSettings parent)
        : this(parent.Now)
    {
        _parent = parent;
        _now = Single(_derivedFrom);
    }

    /// <summary>Those that apply at once, with how to read each. The others take a restart.</summary>
    public static IReadOnlyDictionary<string, Func<TransportOptions, object>> Live { get; } = new Dictionary<string, Func<TransportOptions, object>>(StringComparer.OrdinalIgnoreCase)
    {
        [nameof(TransportOptions.ConnectTimeout)] = options => options.ConnectTimeout,
        [nameof(TransportOptions.RequestTimeout)] = options => options.RequestTimeout,
        [nameof(TransportOptions.SilenceTimeout)] = options => options.SilenceTimeout,
    };

    /// <summary>As they are now.</summary>
    public TransportOptions Now => _parent is null ? Volatile.Read(ref _now) : Derived(_parent.Now);

    /// <summary>Takes over what applies at once.</summary>
    public void Change(TransportOptions next)
    {
        Volatile.Write(ref _now, Now with
        {
            ConnectTimeout = next.ConnectTimeout,
            RequestTimeout = next.RequestTimeout,
            SilenceTimeout = next.SilenceTimeout,
        });
    }

    /// <summary>The same for a pool of a single connection. Changes of these apply to it, too.</summary>
    public TransportSettings Alone() => new(parent: this);

    private static TransportOptions Single(TransportOptions options) => options with { MinConnections = 1, MaxConnections = 1 };

    /// <summary>Made again when the parent's options have changed; two threads that do so at once make the same.</summary>
    private TransportOptions Derived(TransportOptions options)
    {
        if (!ReferenceEquals(Volatile.Read(ref _derivedFrom), options))
        {
            Volatile.Write(ref _now, Single(options));
            Volatile.Write(ref _derivedFrom, options);
        }

        return Volatile.Read(ref _now);
    }
}

/// <summary>Where an emulator's script listens, and how to know that it is the right one.</summary>
internal sealed record EmulatorAddress
{
    /// <summary>The environment variable with the secret of the scripts of this machine.</summary>
    public const string SecretVariable = "MGBA_BRIDGE_SECRET";

    /// <summary>Host name or address, default <c>127.0.0.1</c>.</summary>
    public string Host { get; init; } = "127.0.0.1";

    /// <summary>The port, 1..65535; null to look for a script on the ports from <see cref="TransportOptions.FirstScriptPort"/>. An emulator that is restarted may get another one.</summary>
    public int? Port { get; set; }

    /// <summary>The secret the script was started with, or null for none.</summary>
    public string? Secret { get; init; }

    /// <summary>The nonce the script was started with, or null to take any.</summary>
    public string? Nonce { get; init; }

    /// <summary>Whether the gateway starts it again by itself after it ended.</summary>
    public bool IsRestarted { get; init; }

    /// <summary>Whether a script of another version is taken if it has the same protocol: machines of a fleet are updated one after the other.</summary>
    public bool TakesOtherVersions { get; init; }
}
