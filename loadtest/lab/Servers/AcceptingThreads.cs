using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>
/// Several threads that accept on one listener, each with epoll: the first that is free takes the next connection, and what one leaves in the queue another takes.
/// </summary>
internal sealed class AcceptingThreads : EchoServer
{
    private readonly Socket _listener = Listen();

    public AcceptingThreads(int count)
    {
        Port = PortOf(_listener);
        Accepted = new long[count];
        _listener.Blocking = false; // another thread may have taken the connection that epoll reported
    }

    public override void Start()
    {
        for (var i = 0; i < Accepted.Length; i++)
        {
            var index = i;
            RunThread(() => EpollLoop.Serve(_listener, () => Accepted[index]++));
        }
    }
}
