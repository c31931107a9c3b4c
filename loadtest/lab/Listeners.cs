using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>Listening sockets and threads, the same for all models.</summary>
internal static class Listeners
{
    public const int BufferSize = 4096;
    private const int Backlog = 512, SocketLevel = 1, ReusePort = 15;
    private static readonly byte[] On = [1, 0, 0, 0];

    /// <summary>Listens on 127.0.0.1; port 0 selects a free port.</summary>
    public static Socket Open(int port = 0, bool isShared = false)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        if (isShared)
        {
            socket.SetRawSocketOption(SocketLevel, ReusePort, On);
        }
        socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        socket.Listen(Backlog);
        return socket;
    }

    public static int PortOf(Socket socket) => ((IPEndPoint)socket.LocalEndPoint!).Port;

    public static Thread Run(string name, ThreadStart body)
    {
        var thread = new Thread(body) { IsBackground = true, Name = name };
        thread.Start();
        return thread;
    }

    /// <summary>Echoes the available bytes. False when the peer closed or reset. Messages are small, so one send takes them whole.</summary>
    public static bool EchoOnce(Socket socket, byte[] buffer)
    {
        var count = socket.Receive(buffer, 0, buffer.Length, SocketFlags.None, out var error);
        if (count <= 0)
        {
            return error == SocketError.WouldBlock;
        }
        return socket.Send(buffer, 0, count, SocketFlags.None, out _) == count;
    }
}
