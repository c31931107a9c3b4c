namespace MgbaBridge.Gateway.Endpoints;

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
