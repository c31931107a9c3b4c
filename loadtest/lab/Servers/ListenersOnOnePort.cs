using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>
/// Several listeners on one port (SO_REUSEPORT), each with a thread and epoll: nothing is shared, but a hash of the addresses decides who gets a
/// connection, however busy each is.
/// </summary>
internal sealed class ListenersOnOnePort : EchoServer
{
    private readonly List<Socket> _listeners = [];

    public ListenersOnOnePort(int count)
    {
        Accepted = new long[count];
        for (var i = 0; i < count; i++)
        {
            _listeners.Add(Listen(Port, reusePort: true));
            Port = PortOf(_listeners[0]);
        }
    }

    public override void Start()
    {
        for (var i = 0; i < _listeners.Count; i++)
        {
            var index = i;
            RunThread(() => EpollLoop.Serve(_listeners[index], () => Accepted[index]++));
        }
    }
}
