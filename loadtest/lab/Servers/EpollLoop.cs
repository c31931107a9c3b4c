using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>One thread that waits by epoll: the kernel keeps the set of connections and names only those that can be read.</summary>
internal sealed class EpollLoop : EchoServer
{
    private readonly Socket _listener = Listen();

    public EpollLoop() => Port = PortOf(_listener);

    public override void Start() => RunThread(() => Serve(_listener, () => Accepted[0]++));

    /// <summary>Serves a listener and its connections for good. A listener that does not block may be shared: another thread may take a connection first.</summary>
    public static void Serve(Socket listener, Action accepted)
    {
        using var poller = new Poller();
        var sockets = new Dictionary<int, Socket> { [0] = listener }; // by their index in epoll
        var last = 0;
        var buffer = new byte[BufferSize];
        poller.Add(Descriptor(listener), 0);
        while (true)
        {
            var ready = poller.Wait(-1);
            for (var i = 0; i < ready; i++)
            {
                var index = poller.Ready(i);
                var socket = sockets[index];
                if (socket != listener)
                {
                    if (!EchoOnce(socket, buffer))
                    {
                        sockets.Remove(index);
                        socket.Dispose(); // epoll forgets it
                    }
                }
                else if (TryAccept(listener) is { } connection)
                {
                    sockets.Add(++last, connection);
                    poller.Add(Descriptor(connection), last);
                    accepted();
                }
            }
        }
    }

    private static int Descriptor(Socket socket) => (int)socket.SafeHandle.DangerousGetHandle();

    private static Socket? TryAccept(Socket listener)
    {
        try
        {
            var connection = listener.Accept();
            connection.Blocking = true;
            connection.NoDelay = true;
            return connection;
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.WouldBlock)
        {
            return null;
        }
    }
}
