using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab;

/// <summary>udp-naive: UdpClient, which allocates an array and an address for each datagram.</summary>
internal sealed class UdpClientServer : IEchoServer, IDisposable
{
    private readonly UdpClient _client = new(new IPEndPoint(IPAddress.Loopback, 0));
    private long _echoed;

    public int Port => ((IPEndPoint)_client.Client.LocalEndPoint!).Port;
    public IReadOnlyList<long> Accepted => [];
    public long Echoed => Volatile.Read(ref _echoed);

    public void Start() => _ = ServeAsync();

    public void Dispose() => _client.Dispose();

    private async Task ServeAsync()
    {
        while (true)
        {
            var received = await _client.ReceiveAsync();
            await _client.SendAsync(received.Buffer, received.RemoteEndPoint);
            _echoed++;
        }
    }
}
