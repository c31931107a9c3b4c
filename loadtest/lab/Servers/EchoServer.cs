using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>A way to serve connections, as an echo server on a free port of 127.0.0.1. It serves until its process ends.</summary>
internal abstract class EchoServer
{
    protected const int BufferSize = 16 * 1024;
    private const int Backlog = 512, SocketLevel = 1, ReusePort = 15;
    private static readonly byte[] On = [1, 0, 0, 0];

    /// <summary>All of them, by name.</summary>
    public static IReadOnlyDictionary<string, Func<int, EchoServer>> All { get; } = new Dictionary<string, Func<int, EchoServer>>
    {
        ["threads"] = _ => new ThreadPerConnection(isShared: false),
        ["threads-lock"] = _ => new ThreadPerConnection(isShared: true),
        ["select"] = _ => new SelectLoop(),
        ["epoll"] = _ => new EpollLoop(),
        ["async"] = _ => new AsyncSockets(),
        ["listeners"] = count => new ListenersOnOnePort(count),
        ["acceptors"] = count => new AcceptingThreads(count),
        ["udp-client"] = _ => new UdpClientEcho(),
        ["udp-pinned"] = _ => new PinnedDatagrams(),
    };

    public int Port { get; protected init; }

    /// <summary>Accepted connections, for each thread or listener that accepts.</summary>
    public long[] Accepted { get; protected init; } = new long[1];

    /// <summary>Echoed datagrams.</summary>
    public long Echoed { get; protected set; }

    /// <summary>What the server measured of itself, such as how long select takes to return.</summary>
    public virtual string? Measured => null;

    /// <summary>Starts to serve and returns.</summary>
    public abstract void Start();

    protected static Socket Listen(int port = 0, bool reusePort = false)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        if (reusePort)
        {
            socket.SetRawSocketOption(SocketLevel, ReusePort, On);
        }

        socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        socket.Listen(Backlog);
        return socket;
    }

    protected static int PortOf(Socket socket) => ((IPEndPoint)socket.LocalEndPoint!).Port;

    protected static void RunThread(ThreadStart body) => new Thread(body) { IsBackground = true }.Start();

    /// <summary>Sends back what can be read. False when the peer closed the connection.</summary>
    protected static bool EchoOnce(Socket socket, byte[] buffer)
    {
        var count = socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out var error);
        return count > 0 ? socket.Send(buffer, 0, count, SocketFlags.None, out _) == count : error == SocketError.WouldBlock;
    }
}
