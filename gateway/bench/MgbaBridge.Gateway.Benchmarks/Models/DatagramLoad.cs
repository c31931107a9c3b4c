using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>One client with some datagrams under way; a lost one is sent anew.</summary>
internal sealed class DatagramLoad(int port, int underWay, int bytes)
{
    private const int Patience = 200; // milliseconds

    public long Answered { get; private set; }
    public long Lost { get; private set; }

    public void Run(TimeSpan length)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = Patience };
        socket.Connect(new IPEndPoint(IPAddress.Loopback, port));
        var message = new byte[bytes];
        var buffer = new byte[bytes];
        for (var i = 0; i < underWay; i++)
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
