using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Models;

/// <summary>UDP as one writes it first: UdpClient, a new array and a new address for each datagram.</summary>
internal sealed class NaiveDatagramServer : IModelServer, IDisposable
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
