namespace MgbaBridge.Gateway.Api.Http;

/// <summary>What the HTTP side accepts.</summary>
public sealed record HttpOptions
{
    /// <summary>The longest echo message in bytes, 1..1048576, default 65536. Beyond: 413.</summary>
    public int MaxMessage { get; set; } = 65_536;

    /// <summary>The longest request body in bytes, 1024..67108864, default 4194304. Beyond: 413.</summary>
    public long MaxBody { get; set; } = 4_194_304;

    /// <summary>Names besides <c>localhost</c> and addresses under which the gateway may be called. Default: none. Beyond: 403.</summary>
    public string[] AllowedHosts { get; set; } = [];

    /// <summary>Origins besides the gateway's own whose web pages may use it, such as <c>https://example.org</c>. Default: none. Beyond: 403.</summary>
    public string[] AllowedOrigins { get; set; } = [];

    /// <summary>What callers have to send as <c>Authorization: Bearer …</c>, 16 characters or more. Default: nothing; then only this machine is let in.</summary>
    public string? Token { get; set; }

    /// <summary>How many requests a second one address may make, 1..1000000. Beyond: 429. Default: 0, any number.</summary>
    public int RateLimit { get; set; }

    /// <summary>The most HTTP connections open at once, WebSockets included, 16..1000000, default 8192. Beyond: the connection is closed without a response.</summary>
    public int MaxConnections { get; set; } = 8_192;

    /// <summary>The most event streams, picture streams and WebSockets that one caller may keep open, 1..100000, default 256. Beyond: 429.</summary>
    public int MaxStreamsPerCaller { get; set; } = 256;

    /// <summary>The most bytes of answers kept for requests with an <c>Idempotency-Key</c>, 64 KiB..1 GiB, default 16 MiB. Beyond: the oldest go.</summary>
    public long IdempotencyMemory { get; set; } = 16_777_216;

    /// <summary>How long such an answer is kept, 1 s..1 day, default 1 h.</summary>
    public TimeSpan IdempotencyKeep { get; set; } = TimeSpan.FromHours(1);

    /// <summary>Whether <c>/plaintext</c> answers a constant without asking an emulator, to compare with. Default: no.</summary>
    public bool Plaintext { get; set; }

    /// <summary>How long a client may leave an answer on a WebSocket unread, 100 ms..10 min, default 10 s. Beyond: closed with 1008.</summary>
    public TimeSpan SocketPatience { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long a stopping gateway waits for requests under way, 0..5 min, default 5 s.</summary>
    public TimeSpan DrainTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Whether another gateway may listen on the same port, which takes over without a lost request when this one is told to stop.
    /// Linux only, default no.</summary>
    public bool ReusePort { get; set; }

    /// <summary>How long a gateway that hands its port over asks callers to come back on another connection, 0..1 min, default 1 s.</summary>
    public TimeSpan Farewell { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The longest request line that <see cref="MaxMessage"/> can need: each byte percent-encoded, and room for the path.</summary>
    public int MaxRequestLine => (MaxMessage * 3) + 4_096;

    /// <summary>What is wrong with these settings, a sentence each.</summary>
    public IEnumerable<string> Validate()
    {
        if (MaxMessage is < 1 or > 1_048_576)
        {
            yield return "MaxMessage has to be 1..1048576 (bytes).";
        }

        if (MaxBody is < 1_024 or > 67_108_864)
        {
            yield return "MaxBody has to be 1024..67108864 (bytes).";
        }

        foreach (var origin in AllowedOrigins.Where(origin => !Uri.TryCreate(origin, UriKind.Absolute, out var uri) || uri.GetLeftPart(UriPartial.Authority) != origin))
        {
            yield return $"AllowedOrigins has {origin}; an origin is a scheme, a host and perhaps a port, such as https://example.org.";
        }

        if (Token is { Length: > 0 and < 16 } || Token?.AsSpan().ContainsAnyExceptInRange('!', '~') == true)
        {
            yield return "Token has to be 16 visible characters of ASCII or more; openssl rand -hex 32 makes one.";
        }

        if (RateLimit is < 0 or > 1_000_000)
        {
            yield return "RateLimit has to be 1..1000000 (requests a second), or 0 for any number.";
        }

        if (MaxConnections is < 16 or > 1_000_000)
        {
            yield return "MaxConnections has to be 16..1000000.";
        }

        if (MaxStreamsPerCaller is < 1 or > 100_000)
        {
            yield return "MaxStreamsPerCaller has to be 1..100000.";
        }

        if (IdempotencyMemory is < 65_536 or > 1_073_741_824)
        {
            yield return "IdempotencyMemory has to be 65536..1073741824 (bytes).";
        }

        if (IdempotencyKeep < TimeSpan.FromSeconds(1) || IdempotencyKeep > TimeSpan.FromDays(1))
        {
            yield return "IdempotencyKeep has to be 1 s..1 day.";
        }

        if (SocketPatience < TimeSpan.FromMilliseconds(100) || SocketPatience > TimeSpan.FromMinutes(10))
        {
            yield return "SocketPatience has to be 100 ms..10 min.";
        }

        if (DrainTimeout < TimeSpan.Zero || DrainTimeout > TimeSpan.FromMinutes(5))
        {
            yield return "DrainTimeout has to be 0..5 min.";
        }

        if (Farewell < TimeSpan.Zero || Farewell > TimeSpan.FromMinutes(1))
        {
            yield return "Farewell has to be 0..1 min.";
        }

        if (ReusePort && !OperatingSystem.IsLinux())
        {
            yield return "ReusePort needs Linux; leave it away here.";
        }
    }
}
