using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab.Load;

/// <summary>A client that keeps some datagrams in flight and replaces lost ones.</summary>
internal sealed class DatagramClient(int port, int bytes)
{
    private const int InFlight = 16, TimeoutMilliseconds = 200;

    public long Answered { get; private set; }
    public long Lost { get; private set; }

    public void Run(TimeSpan length)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = TimeoutMilliseconds };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        var (message, echo) = (new byte[bytes], new byte[bytes]);
        for (var i = 0; i < InFlight; i++)
        {
            socket.Send(message);
        }

        for (var clock = Stopwatch.StartNew(); clock.Elapsed < length;)
        {
            _ = socket.Receive(echo, 0, bytes, SocketFlags.None, out var error);
            (Answered, Lost) = error == SocketError.Success ? (Answered + 1, Lost) : (Answered, Lost + 1);
            socket.Send(message);
        }
    }
}
