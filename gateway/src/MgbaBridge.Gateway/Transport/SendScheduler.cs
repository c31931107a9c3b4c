using System.Net.Sockets;

namespace MgbaBridge.Gateway.Transport;

/// <summary>
/// The end of a turn of the sockets' thread: what is handed in here is done when all that had arrived by then has been handled. .NET knows no such
/// moment. So a byte is sent through a socket of our own, and comes up behind what was there before it. On Linux only, where one thread handles
/// what arrives (see <see cref="Hosting.SocketThreads"/>).
/// </summary>
internal sealed class SendScheduler : IDisposable
{
    private static readonly byte[] Ring = [1];

    private readonly Socket _bell;
    private readonly Lock _gate = new();
    private List<IThreadPoolWorkItem> _next = [];
    private List<IThreadPoolWorkItem> _running = [];
    private bool _over;

    private SendScheduler(Socket bell)
    {
        _bell = bell;
        _ = ListenAsync();
    }

    /// <summary>The one of this process, or null where there is none.</summary>
    public static SendScheduler? Shared { get; } = OperatingSystem.IsLinux() ? TryMake() : null;

    /// <summary>One with a bell of its own, or null when the system gives none.</summary>
    public static SendScheduler? TryMake()
    {
        var bell = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
        try
        {
            // an abstract name, which is no file; the bell rings itself
            var name = new UnixDomainSocketEndPoint($"\0mgba-bridge-{Guid.NewGuid():N}");
            bell.Bind(name);
            bell.Connect(name);
            return new SendScheduler(bell);
        }
        catch (SocketException)
        {
            bell.Dispose();
            return null;
        }
    }

    /// <summary>Has it done at the end of this turn. False when that will not be: then the caller does it at once.</summary>
    public bool TryAtEnd(IThreadPoolWorkItem work)
    {
        lock (_gate)
        {
            if (_over)
            {
                return false;
            }

            _next.Add(work);
            if (_next.Count > 1)
            {
                return true;
            }

            try
            {
                _bell.Send(Ring);
                return true;
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                _next.Clear();
                return false;
            }
        }
    }

    /// <summary>What waits for the end of the turn is done, and nothing waits any more.</summary>
    public void Dispose() => _bell.Dispose();

    private async Task ListenAsync()
    {
        var heard = new byte[1];
        try
        {
            while (true)
            {
                await _bell.ReceiveAsync(heard.AsMemory(), SocketFlags.None);
                RunAll();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // it was disposed
        }
        finally
        {
            lock (_gate)
            {
                _over = true;
            }

            RunAll();
        }
    }

    private void RunAll()
    {
        lock (_gate)
        {
            (_next, _running) = (_running, _next);
        }

        foreach (var work in _running)
        {
            work.Execute();
        }

        _running.Clear();
    }
}
