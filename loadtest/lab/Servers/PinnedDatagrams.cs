using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>Datagrams with one pinned buffer and one SocketAddress for all senders: nothing is allocated, and the collector never moves the buffer.</summary>
internal sealed class PinnedDatagrams : EchoServer
{
    private const int LargestDatagram = 65_527;

    private readonly Socket _socket = Bind();
    private readonly Memory<byte> _buffer = GC.AllocateUninitializedArray<byte>(LargestDatagram, pinned: true);

    public PinnedDatagrams() => Port = PortOf(_socket);

    public override void Start() => _ = ServeAsync();

    private static Socket Bind()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private async Task ServeAsync()
    {
        var sender = new SocketAddress(AddressFamily.InterNetwork);
        while (true)
        {
            var count = await _socket.ReceiveFromAsync(_buffer, SocketFlags.None, sender);
            await _socket.SendToAsync(_buffer[..count], SocketFlags.None, sender);
            Echoed++;
        }
    }
}
