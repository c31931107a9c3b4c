using System.Diagnostics;
using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>
/// One thread that passes all connections to Socket.Select (poll() on Linux) and serves those that it returns: no locks, but each call looks at all
/// connections, however few have something to say.
/// </summary>
internal sealed class SelectLoop : EchoServer
{
    private readonly Socket _listener = Listen();
    private readonly HashSet<Socket> _connections = [];
    private readonly byte[] _buffer = new byte[BufferSize];
    private long _calls;
    private long _ticks;

    public SelectLoop() => Port = PortOf(_listener);

    /// <summary>The mean time of a call that finds something to read at once, in microseconds.</summary>
    public override string Measured => Format.Number(_calls == 0 ? null : _ticks * 1e6 / Stopwatch.Frequency / _calls, "0.0");

    public override void Start() => RunThread(() =>
    {
        var ready = new List<Socket>();
        while (true)
        {
            ready.Clear();
            ready.Add(_listener);
            ready.AddRange(_connections);
            var began = Stopwatch.GetTimestamp();
            Socket.Select(ready, null, null, 0);
            if (ready.Count > 0)
            {
                _ticks += Stopwatch.GetTimestamp() - began;
                _calls++;
            }
            else
            {
                ready.Add(_listener);
                ready.AddRange(_connections);
                Socket.Select(ready, null, null, -1);
            }

            ready.ForEach(Take);
        }
    });

    private void Take(Socket socket)
    {
        if (socket == _listener)
        {
            var connection = _listener.Accept();
            connection.NoDelay = true;
            _connections.Add(connection);
            Accepted[0]++;
        }
        else if (!EchoOnce(socket, _buffer))
        {
            _connections.Remove(socket);
            socket.Dispose();
        }
    }
}
