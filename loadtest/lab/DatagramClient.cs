using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>A client that keeps some datagrams in flight and replaces lost ones.</summary>
internal sealed class DatagramClient(int port, int inFlight, int bytes)
{
    private const int TimeoutMilliseconds = 200;

    public long Answered { get; private set; }
    public long Lost { get; private set; }

    public void Run(TimeSpan length)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = TimeoutMilliseconds };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        var message = new byte[bytes];
        var buffer = new byte[bytes];
        for (var i = 0; i < inFlight; i++)
        {
            socket.Send(message);
        }
        for (var clock = Stopwatch.StartNew(); clock.Elapsed < length;)
        {
            _ = socket.Receive(buffer, 0, bytes, SocketFlags.None, out var error);
            var isAnswered = error == SocketError.Success;
            Answered += isAnswered ? 1 : 0;
            Lost += isAnswered ? 0 : 1;
            socket.Send(message);
        }
    }
}
