using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Lab.Servers;

/// <summary>Datagrams by UdpClient: two lines of code, and an array and an address allocated for each datagram.</summary>
internal sealed class UdpClientEcho : EchoServer
{
    private readonly UdpClient _client = Bind();

    public UdpClientEcho() => Port = PortOf(_client.Client);

    public override void Start() => _ = ServeAsync();

    private static UdpClient Bind() => new(new IPEndPoint(IPAddress.Loopback, 0));

    private async Task ServeAsync()
    {
        while (true)
        {
            var received = await _client.ReceiveAsync();
            await _client.SendAsync(received.Buffer, received.RemoteEndPoint);
            Echoed++;
        }
    }
}
