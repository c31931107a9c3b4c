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

    private readonly IReadOnlyList<Socket> _sockets;
    private readonly IPAddress _address;
    private readonly int _port;

    private FirstFreePort(IReadOnlyList<Socket> sockets, IPAddress address, int port) => (_sockets, _address, _port) = (sockets, address, port);

    /// <summary>The URLs of the port.</summary>
    public string Urls => string.Join(';', _sockets.Count == 0
        ? [string.Create(CultureInfo.InvariantCulture, $"http://{_address}:{_port}")]
        : _sockets.Select(static socket => $"http://{socket.LocalEndPoint}"));

    /// <summary>Why it is not the first port; null when it is.</summary>
    public string? Note => _port == First ? null
        : string.Create(CultureInfo.InvariantCulture, $"port {First} is in use by {(object?)ProcessLookup.Listener(First) ?? "another program"}, so the gateway uses {(_port == 0 ? "another one" : _port)}");

    /// <summary>Takes the port of an address, and of ::1 where there is one. Without a free one in the range, any will be used.</summary>
    public static FirstFreePort Take(IPAddress address)
    {
        using var any = Loopback.TryBind(0);
        var hasOther = any is not null;
        for (var port = First; port <= Last; port++)
        {
            try
            {
                var socket = SocketTransportOptions.CreateDefaultBoundListenSocket(new IPEndPoint(address, port));
                var other = hasOther ? Loopback.TryBind(port) : null;
                if (hasOther && other is null)
                {
                    socket.Dispose();
                    continue;
                }

                // where addresses may be reused, only a listening socket keeps others out
                socket.Listen();
                other?.Listen();
                return new FirstFreePort(other is null ? [socket] : [socket, other], address, port);
            }
            catch (SocketException)
            {
                // in use
            }
        }

        return new FirstFreePort([], address, 0);
    }

    /// <summary>The socket for an address at which the server listens.</summary>
    public Socket SocketFor(EndPoint endPoint) =>
        _sockets.FirstOrDefault(socket => endPoint.Equals(socket.LocalEndPoint)) ?? SocketTransportOptions.CreateDefaultBoundListenSocket(endPoint);
}
