using System.Collections.Concurrent;

namespace MgbaBridge.Http;

/// <summary>A gateway of mGBA-bridge, and its first emulator. Threads may share it.</summary>
public sealed class Gateway : Emulator
{
    private const string DefaultUrl = "http://127.0.0.1:5000";

    private static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(30);

    private readonly Connection _connection;
    private readonly ConcurrentDictionary<string, Emulator> _emulators = [];

    /// <summary>Uses a gateway; the first request connects to it.</summary>
    /// <param name="url">The gateway; the variable MGBA_BRIDGE_URL or http://127.0.0.1:5000 unless given.</param>
    /// <param name="token">For a gateway that requires one; the variable MGBA_BRIDGE_TOKEN unless given.</param>
    /// <param name="holder">The name that owns keys and lease, 1 to 64 of A-Z a-z 0-9 _ . : -; a random one unless given.</param>
    /// <param name="timeout">How long a response may take, besides a 50th of a second for each frame that the request waits for; 30 s unless given.</param>
    /// <exception cref="ArgumentException">An argument cannot be used.</exception>
    public Gateway(string? url = null, string? token = null, string? holder = null, TimeSpan? timeout = null)
        : this(new Connection(url ?? Variable("MGBA_BRIDGE_URL") ?? DefaultUrl, token ?? Variable("MGBA_BRIDGE_TOKEN"), holder ?? $"csharp-{Guid.NewGuid():N}"[..19], timeout ?? DefaultTimeout))
    {
    }

    private Gateway(Connection connection)
        : base(connection, "") => _connection = connection;

    /// <summary>The URL.</summary>
    public string Url => _connection.Url;

    /// <summary>The name that owns keys and lease.</summary>
    public string Holder => _connection.Holder;

    /// <summary>How long a response may take, besides a 50th of a second for each frame that the request waits for.</summary>
    public TimeSpan Timeout
    {
        get => _connection.Timeout;
        set => _connection.Timeout = value;
    }

    /// <summary>One of several emulators, which <see cref="Operations.EmulatorsListAsync"/> lists. It ends with the gateway.</summary>
    /// <param name="id">Its id.</param>
    public Emulator Emulator(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        Connection.CheckVisible(id, nameof(id));
        return _emulators.GetOrAdd(id, (id, connection) => new Emulator(connection, $"/i/{Request.Part(id)}"), _connection);
    }

    /// <summary>Ends all loops over events, gives leases and keys back, and closes the connections.</summary>
    public override async ValueTask DisposeAsync()
    {
        await Task.WhenAll(_emulators.Values.Select(emulator => emulator.DisposeAsync().AsTask()));
        await base.DisposeAsync();
        _connection.Dispose();
    }

    private static string? Variable(string name) => Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : null;
}
