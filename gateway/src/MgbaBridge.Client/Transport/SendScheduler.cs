using System.Net.Sockets;

namespace MgbaBridge.Client.Transport;

/// <summary>
/// Runs work after the next flush of the event loop: when everything that had arrived before has been handled. .NET has no such notification, so a byte is
/// sent through a socket of our own, which becomes readable behind what arrived before. On Linux only, where one thread handles all sockets (see the thread of the sockets).
/// </summary>
internal sealed class SendScheduler : IDisposable
{
    private static readonly byte[] Signal = [1];

    private readonly Socket _wakeUp;
    private readonly Lock _gate = new();
    private List<IThreadPoolWorkItem> _scheduled = [];
    private List<IThreadPoolWorkItem> _running = [];
    private bool _disposed;

    private SendScheduler(Socket socket)
    {
        _wakeUp = socket;
        _ = ListenAsync();
    }

    /// <summary>The scheduler of this process, or null on a system without one.</summary>
    public static SendScheduler? Shared { get; } = OperatingSystem.IsLinux() ? TryCreate() : null;

    /// <summary>Creates a scheduler, or returns null when the socket cannot be created.</summary>
    public static SendScheduler? TryCreate()
    {
        Socket? socket = null;
        try
        {
            socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            // an abstract name creates no file; the socket is connected to itself
            var name = new UnixDomainSocketEndPoint($"\0mgba-bridge-{Guid.NewGuid():N}");
            socket.Bind(name);
            socket.Connect(name);
            return new SendScheduler(socket);
        }
        catch (SocketException)
        {
            socket?.Dispose();
            return null;
        }
    }

    /// <summary>Schedules work for the next flush. False if the scheduler is disposed; then the caller does the work at once.</summary>
    public bool TrySchedule(IThreadPoolWorkItem work)
    {
        lock (_gate)
        {
            if (_disposed)
            {
                return false;
            }

            _scheduled.Add(work);
            if (_scheduled.Count > 1)
            {
                return true;
            }

            try
            {
                _wakeUp.Send(Signal);
                return true;
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                _scheduled.Clear();
                return false;
            }
        }
    }

    /// <summary>Runs the scheduled work and accepts no more.</summary>
    public void Dispose() => _wakeUp.Dispose();

    private async Task ListenAsync()
    {
        var received = new byte[1];
        try
        {
            while (true)
            {
                await _wakeUp.ReceiveAsync(received.AsMemory(), SocketFlags.None);
                RunAll();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // the scheduler was disposed
        }
        finally
        {
            lock (_gate)
            {
                _disposed = true;
            }

            RunAll();
        }
    }

    private void RunAll()
    {
        lock (_gate)
        {
            (_scheduled, _running) = (_running, _scheduled);
        }

        foreach (var work in _running)
        {
            work.Execute();
        }

        _running.Clear();
    }
}
