using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>udp-pinned: one pinned buffer and one SocketAddress that is reused for each sender, so nothing is allocated.</summary>
internal sealed class PinnedBufferServer : IEchoServer, IDisposable
{
    private const int LargestDatagram = 65_527;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly Memory<byte> _buffer = GC.AllocateUninitializedArray<byte>(LargestDatagram, pinned: true);
    private long _echoed;

    public PinnedBufferServer() => _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    public int Port => Listeners.PortOf(_socket);
    public IReadOnlyList<long> Accepted => [];
    public long Echoed => Volatile.Read(ref _echoed);

    public void Start() => _ = ServeAsync();

    public void Dispose() => _socket.Dispose();

    private async Task ServeAsync()
    {
        var sender = new SocketAddress(AddressFamily.InterNetwork);
        while (true)
        {
            var count = await _socket.ReceiveFromAsync(_buffer, SocketFlags.None, sender);
            await _socket.SendToAsync(_buffer[..count], SocketFlags.None, sender);
            _echoed++;
        }
    }
}
