using System.Globalization;
using System.Net.Sockets;
using System.Net;
using MgbaBridge.Gateway.Diagnostics;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// The HTTP port of <c>mgba-bridge run</c> when none is chosen: the first free one. It is taken at once, so that two programs that start together do
/// not choose the same.
/// </summary>
internal sealed class FirstFreePort
{
    /// <summary>The port that is tried first.</summary>
    public const int First = 5_000;

    private const int Last = First + 99;

    private readonly Socket? _socket;
    private readonly IPAddress _address;
    private readonly int _port;

    private FirstFreePort(Socket? socket, IPAddress address, int port) => (_socket, _address, _port) = (socket, address, port);

    /// <summary>The URL of the port.</summary>
    public string Url => string.Create(CultureInfo.InvariantCulture, $"http://{_address}:{_port}");

    /// <summary>Why it is not the first port; null when it is.</summary>
    public string? Note => _port == First ? null
        : string.Create(CultureInfo.InvariantCulture, $"port {First} is in use by {(object?)ProcessLookup.Listener(First) ?? "another program"}, so the gateway uses {(_port == 0 ? "another one" : _port)}");

    /// <summary>Takes the port of an address. Without a free one in the range, any will be used.</summary>
    public static FirstFreePort Take(IPAddress address)
    {
        for (var port = First; port <= Last; port++)
        {
            try
            {
                var socket = SocketTransportOptions.CreateDefaultBoundListenSocket(new IPEndPoint(address, port));
                socket.Listen(); // where addresses may be reused, only a listening socket keeps others out
                return new FirstFreePort(socket, address, port);
            }
            catch (SocketException)
            {
                // in use
            }
        }

        return new FirstFreePort(null, address, 0);
    }

    /// <summary>The socket for an address at which the server listens.</summary>
    public Socket SocketFor(EndPoint endPoint) =>
        _socket is not null && endPoint is IPEndPoint wanted && wanted.Port == _port ? _socket : SocketTransportOptions.CreateDefaultBoundListenSocket(endPoint);
}
