using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// The addresses of this machine for itself. <c>localhost</c> means ::1 first for many programs: those that do not try 127.0.0.1 next fail, and others
/// lose up to two seconds by it.
/// </summary>
internal static class Loopback
{
    /// <summary>The URLs to listen at: an address, and ::1 besides, if this machine has it and no other program the port there.</summary>
    /// <param name="address">The IPv4 address.</param>
    /// <param name="port">The port; 0 for any, which is then that of the address alone.</param>
    /// <param name="isShared">Whether other gateways may have the port.</param>
    public static string UrlsOf(string address, int port, bool isShared = false)
    {
        var url = string.Create(CultureInfo.InvariantCulture, $"http://{address}:{port}");
        using var socket = port == 0 ? null : TryBind(isShared ? 0 : port);
        return socket is null ? url : string.Create(CultureInfo.InvariantCulture, $"{url};http://[::1]:{port}");
    }

    /// <summary>A socket of ::1; null when the port is in use there, or this machine has no IPv6.</summary>
    public static Socket? TryBind(int port)
    {
        if (!Socket.OSSupportsIPv6)
        {
            return null;
        }

        try
        {
            return SocketTransportOptions.CreateDefaultBoundListenSocket(new IPEndPoint(IPAddress.IPv6Loopback, port));
        }
        catch (SocketException)
        {
            return null;
        }
    }
}
