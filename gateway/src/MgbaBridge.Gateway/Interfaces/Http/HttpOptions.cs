using System.ComponentModel.DataAnnotations;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>What the HTTP side accepts.</summary>
public sealed record HttpOptions
{
    /// <summary>The most that <see cref="MaxBody"/> may be.</summary>
    internal const int LargestBody = 67_108_864;

    /// <summary>The longest request body in bytes. Beyond: 413.</summary>
    [ByteRange(1_024, LargestBody)]
    public long MaxBody { get; set; } = 4_194_304;

    /// <summary>Names besides <c>localhost</c> and addresses under which the gateway may be called without a token, such as <c>box.local</c> or <c>*.example.com</c>.
    /// Default: none. Beyond: 403.</summary>
    [HostNames]
    public string[] AllowedHosts { get; set; } = [];

    /// <summary>Origins besides the gateway's own whose web pages may use it, such as <c>https://example.org</c>. Default: none. Beyond: 403.</summary>
    [Origins]
    public string[] AllowedOrigins { get; set; } = [];

    /// <summary>What callers have to send as <c>Authorization: Bearer …</c>, 16 characters or more. Default: nothing; then only this machine is let in.</summary>
    [BearerToken]
    public string? Token { get; set; }

    /// <summary>More tokens, each as role:hash with the SHA-256 of the token; <c>mgba-bridge token</c> makes one. At most 100. Default: none.</summary>
    [AccessTokens]
    public string[] Tokens { get; set; } = [];

    /// <summary>Whether links of guests that have not ended stay valid when the gateway is started again: what they are, with the SHA-256 of their tokens, is
    /// then in guests.json of the data folder. Default no.</summary>
    public bool KeepGuests { get; set; }

    /// <summary>How many requests a second one address may make, 1..1000000. Beyond: 429. Default: 0, any number.</summary>
    [Range(0, 1_000_000)]
    public int RateLimit { get; set; }

    /// <summary>The most HTTP connections open at once, WebSockets included. Beyond: the connection is closed without a response.</summary>
    [Range(16, 1_000_000)]
    public int MaxConnections { get; set; } = 8_192;

    /// <summary>The most event streams, picture streams and WebSockets that one caller may keep open. Beyond: 429.</summary>
    [Range(1, 100_000)]
    public int MaxStreamsPerCaller { get; set; } = 256;

    /// <summary>The most bytes that the gateway holds until callers read them. Beyond: the connection of the caller with the most that has waited longest is cut.</summary>
    [ByteRange(50_331_648, 68_719_476_736)]
    public long MaxUnread { get; set; } = 134_217_728;

    /// <summary>The same of one caller: a quarter, so that no caller has all. The least that may be set is three of the largest replies, since JSON is longer than a reply.</summary>
    internal long MaxUnreadPerCaller => MaxUnread / 4;

    /// <summary>How long a client may leave an answer on a WebSocket unread: one that takes longer is gone, or cannot keep up. Beyond: closed with 1008.</summary>
    internal TimeSpan WebSocketWriteTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>For how long nothing, not even the answer to a ping, may come from a WebSocket whose client holds keys, freezes or the lease. Beyond: they are released, and it is closed with 1008.</summary>
    [TimeRange("00:00:01", "00:10:00")]
    public TimeSpan WebSocketHoldTimeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a stopping gateway waits for requests under way.</summary>
    [TimeRange("00:00:00", "00:05:00")]
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether another gateway may listen on the same port, which takes over without a lost request when this one stops.
    /// Linux only, default no.</summary>
    [LinuxOnly]
    public bool ReusePort { get; set; }

    /// <summary>How long a gateway that hands its port over asks callers to reconnect.</summary>
    [TimeRange("00:00:00", "00:01:00")]
    public TimeSpan ConnectionDrain { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>How often a WebSocket that is quiet is sent a ping.</summary>
    internal TimeSpan WebSocketPing => TimeSpan.FromTicks(Math.Min(TimeSpan.FromSeconds(15).Ticks, WebSocketHoldTimeout.Ticks / 3));
}

/// <summary>Accepts origins: a scheme, a host and perhaps a port.</summary>
internal sealed class OriginsAttribute : SettingAttribute
{
    /// <summary>What a page without an origin sends.</summary>
    public const string None = "null";

    /// <summary>What to do with a page that is a file.</summary>
    public const string Advice = "Serve its folder (python3 -m http.server 8000 --bind 127.0.0.1), open it there, and allow http://127.0.0.1:8000.";

    public override string Limits => $"a scheme, a host and optionally a port for each, such as https://example.org. A page that is a file has none. {Advice}";

    public override bool IsValid(object? value) => value is not IEnumerable<string> origins || origins.All(IsOrigin);

    /// <summary>Whether a browser can send this as the origin of a page.</summary>
    public static bool IsOrigin(string origin) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var uri) && uri.Host.Length > 0 && !uri.IsFile && uri.GetLeftPart(UriPartial.Authority) == origin;
}

/// <summary>Accepts names of hosts, and all below a domain.</summary>
internal sealed class HostNamesAttribute : SettingAttribute
{
    private const string Below = "*.";

    public override string Limits => "host names without scheme and port, such as box.local, or *.example.com for all below a domain";

    public override bool IsValid(object? value) => value is not IEnumerable<string> names
        || names.All(static name => Uri.CheckHostName(IsPattern(name) ? name[Below.Length..] : name) is UriHostNameType.Dns or UriHostNameType.IPv4 or UriHostNameType.IPv6);

    /// <summary>Whether it means all names below a domain.</summary>
    public static bool IsPattern(string name) => name.StartsWith(Below, StringComparison.Ordinal);
}

/// <summary>Accepts tokens that fit into a header and are hard to guess.</summary>
internal sealed class BearerTokenAttribute : SettingAttribute
{
    public override string Limits => "at least 16 visible ASCII characters; openssl rand -hex 32 makes a token";

    public override bool IsSecret => true;

    public override bool IsValid(object? value) =>
        value is not string { Length: > 0 } token || (token.Length >= 16 && !token.AsSpan().ContainsAnyExceptInRange('!', '~'));
}

/// <summary>Accepts <c>true</c> on Linux only.</summary>
internal sealed class LinuxOnlyAttribute : SettingAttribute
{
    public override string Limits => "false, because this needs Linux";

    public override bool IsValid(object? value) => value is not true || OperatingSystem.IsLinux();
}

/// <summary>Accepts lists of tokens as role and hash.</summary>
internal sealed class AccessTokensAttribute : SettingAttribute
{
    private const int Max = 100;

    public override string Limits => $"at most {Max} tokens, each {Credential.Format}";

    public override bool IsSecret => true;

    public override bool IsValid(object? value) => value is not string[] tokens || (tokens.Length <= Max && tokens.All(static token => Credential.TryParse(token, out _)));
}
