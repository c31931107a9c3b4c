using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>One thread that serves the connections which epoll reports as readable.</summary>
internal sealed class EpollLoop(Socket listener)
{
    private const int ListenerIndex = 0;

    private readonly Dictionary<int, Socket> _connections = [];
    private readonly byte[] _buffer = new byte[Listeners.BufferSize];
    private int _next = ListenerIndex + 1;

    public long Accepted { get; private set; }

    public void Serve()
    {
        using var poller = new Poller();
        poller.Add((int)listener.SafeHandle.DangerousGetHandle(), ListenerIndex);
        while (true)
        {
            var ready = poller.Wait(-1);
            for (var i = 0; i < ready; i++)
            {
                Take(poller, poller.Ready(i));
            }
        }
    }

    private void Take(Poller poller, int index)
    {
        if (index == ListenerIndex)
        {
            var connection = listener.Accept();
            connection.NoDelay = true;
            _connections.Add(_next, connection);
            poller.Add((int)connection.SafeHandle.DangerousGetHandle(), _next++);
            Accepted++;
        }
        else if (!Listeners.EchoOnce(_connections[index], _buffer) && _connections.Remove(index, out var closed))
        {
            closed.Dispose(); // also removes it from epoll
        }
    }
}
