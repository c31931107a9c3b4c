using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;

namespace MgbaBridge.FakeEmulator;

/// <summary>
/// A peer over real TCP that speaks as much of the wire as the gateway needs, and misbehaves on demand. It shares no code with the
/// gateway, so that it cannot share its mistakes.
/// </summary>
public sealed class FakeScript : IAsyncDisposable
{
    // all parts have one version
    private static readonly string OwnVersion = typeof(FakeScript).Assembly.GetName().Version!.ToString(3);

    private readonly ConcurrentQueue<FakeRequest> _requests = new();
    private readonly ConcurrentDictionary<FakeConnection, bool> _connections = new();
    private readonly Lock _gate = new();
    private Dictionary<string, FakeSession> _sessions = [];
    private TaskCompletionSource _paused = Open();
    private TcpListener _listener;
    private long _frame;
    private int _accepted;
    private int _broken;
    private int _kills;

    private FakeScript(int port)
    {
        _listener = Listen(port);
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
    }

    /// <summary>The port, chosen by the system.</summary>
    public int Port { get; }

    /// <summary>How it misbehaves; may be changed while it runs.</summary>
    public FakeBehaviour Behaviour { get; set; } = new();

    /// <summary>Its memory.</summary>
    public FakeMemory Memory { get; } = new();

    /// <summary>Every request read, in order.</summary>
    public IReadOnlyCollection<FakeRequest> Requests => _requests;

    /// <summary>Connections accepted since the start.</summary>
    public int Accepted => Volatile.Read(ref _accepted);

    /// <summary>Connections open now.</summary>
    public int Connected => _connections.Count;

    /// <summary>Connections that did not end by their client's orderly end.</summary>
    public int Broken => Volatile.Read(ref _broken);

    /// <summary>Random at each start of the script.</summary>
    public uint Epoch { get; private set; } = NewEpoch();

    internal Task Gate => Volatile.Read(ref _paused).Task;

    /// <summary>Starts on a free port.</summary>
    public static FakeScript Start(FakeBehaviour? behaviour = null) => StartOn(0, behaviour);

    /// <summary>Starts on a port that was seen to be free.</summary>
    public static FakeScript StartOn(int port, FakeBehaviour? behaviour = null)
    {
        var fake = new FakeScript(port) { Behaviour = behaviour ?? new FakeBehaviour() };
        _ = fake.AcceptAsync(fake._listener);
        return fake;
    }

    /// <summary>From now on connections are accepted and read, and nothing is answered, as when the game is paused.</summary>
    public void Pause() => Volatile.Write(ref _paused, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));

    /// <summary>Resumes, starting with the requests that waited.</summary>
    public void Resume() => Volatile.Read(ref _paused).TrySetResult();

    /// <summary>Answers the request that waited, and pauses again.</summary>
    public void ResumeForOne() => Interlocked.Exchange(ref _paused, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).TrySetResult();

    /// <summary>Ends all connections at once.</summary>
    public void CloseConnections()
    {
        foreach (var connection in _connections.Keys)
        {
            connection.Close();
        }
    }

    /// <summary>Stops listening and ends all connections, as when the emulator is killed.</summary>
    public void Kill()
    {
        Interlocked.Increment(ref _kills);
        _listener.Stop();
        CloseConnections();
    }

    /// <summary>Listens again on the same port as a new script: another epoch, no sessions.</summary>
    public void Revive()
    {
        Forget();
        _listener = Listen(Port);
        _ = AcceptAsync(_listener);
    }

    /// <summary>The script is loaded again: another epoch, no sessions, all connections end, and at no moment nobody listens.</summary>
    public void Reload()
    {
        Forget();
        CloseConnections();
    }

    /// <summary>Another game is loaded: another epoch, same sessions and connections.</summary>
    public void ChangeGame() => Epoch = NewEpoch();

    /// <summary>Sends an unsolicited event on all connections.</summary>
    public Task AnnounceAsync(string topic) => Task.WhenAll(_connections.Keys.Select(connection =>
        connection.SendAsync(System.Text.Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"!1 {NextFrame()} {Epoch:x8} {topic}<|END|>")))));

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Resume();
        Kill();
        _listener.Dispose();
        return ValueTask.CompletedTask;
    }

    internal long NextFrame() => Interlocked.Increment(ref _frame);

    internal void NoteBreak() => Interlocked.Increment(ref _broken);

    internal void Note(FakeRequest request) => _requests.Enqueue(request);

    internal void Ended(FakeConnection connection) => _connections.TryRemove(connection, out _);

    internal string HelloText(string session)
    {
        lock (_gate)
        {
            var resumed = !_sessions.TryAdd(session, new FakeSession());
            var usual = string.Create(
                CultureInfo.InvariantCulture,
                $"protocol=3 script=\"{OwnVersion}\" mgba=\"0.10\" host=\"unknown\" nonce=\"fake\" port={Port} game=true title=\"FAKE\" code=\"AGB-FAKE\" crc32=1 platform=\"gba\" resumed={(resumed ? "true" : "false")} capabilities=\"registers\"");
            // the reader takes the last value of a name, so what comes later replaces
            return $"{usual} {Behaviour.Hello}".TrimEnd();
        }
    }

    internal FakeReply? Answer(FakeRequest request)
    {
        lock (_gate)
        {
            var session = request.Session is null ? null : _sessions.GetValueOrDefault(request.Session);
            if (request.Command == "cancel")
            {
                return session?.Cancel(request.Number(0)) ?? FakeReply.Ok("true");
            }

            return Behaviour.Answer is { } answer && request.Command != "ping" ? Scripted(request, session, answer)
                : session is null ? Memory.Answer(request)
                : session.Run(request, Epoch, () => Memory.Answer(request));
        }
    }

    private FakeReply? Scripted(FakeRequest request, FakeSession? session, Func<FakeRequest, FakeReply?> answer)
    {
        var given = answer(request);
        return given is null || session is null ? given : session.Run(request, Epoch, () => given);
    }

    private void Forget()
    {
        lock (_gate)
        {
            _sessions = [];
            Epoch = NewEpoch();
        }
    }

    private async Task AcceptAsync(TcpListener listener)
    {
        var kills = Volatile.Read(ref _kills);
        try
        {
            while (true)
            {
                var socket = await listener.AcceptSocketAsync();
                socket.NoDelay = true;
                var connection = new FakeConnection(this, socket, Interlocked.Increment(ref _accepted));
                _connections[connection] = true;
                _ = connection.RunAsync();
                if (Interlocked.CompareExchange(ref _kills, 0, 0) != kills)
                {
                    // accepted before the listener stopped, and not seen by who closed the others
                    connection.Close();
                }
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // stopped
        }
    }

    private static TcpListener Listen(int port)
    {
        var listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start(backlog: 128);
        return listener;
    }

    private static TaskCompletionSource Open()
    {
        var open = new TaskCompletionSource();
        open.SetResult();
        return open;
    }

    private static uint NewEpoch() => BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(4));
}
