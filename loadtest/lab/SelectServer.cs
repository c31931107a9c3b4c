using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>select: one thread that passes all connections to Socket.Select, which on Linux is poll().</summary>
internal sealed class SelectServer : IEchoServer
{
    private readonly Socket _listener = Listeners.Open();
    private readonly HashSet<Socket> _connections = [];
    private readonly byte[] _buffer = new byte[Listeners.BufferSize];
    private readonly long[] _accepted = new long[1];

    public int Port => Listeners.PortOf(_listener);
    public IReadOnlyList<long> Accepted => _accepted;
    public long Echoed => 0;

    public void Start() => Listeners.Run("select", Serve);

    private void Serve()
    {
        var ready = new List<Socket>();
        while (true)
        {
            ready.Clear();
            ready.Add(_listener);
            ready.AddRange(_connections);
            Socket.Select(ready, null, null, -1);
            foreach (var socket in ready)
            {
                Take(socket);
            }
        }
    }

    private void Take(Socket socket)
    {
        if (socket == _listener)
        {
            var connection = _listener.Accept();
            connection.NoDelay = true;
            _connections.Add(connection);
            _accepted[0]++;
        }
        else if (!Listeners.EchoOnce(socket, _buffer))
        {
            _connections.Remove(socket);
            socket.Dispose();
        }
    }
}
