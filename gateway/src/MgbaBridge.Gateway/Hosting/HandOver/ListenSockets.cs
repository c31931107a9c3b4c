using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;

namespace MgbaBridge.Gateway.Hosting.HandOver;

/// <summary>The sockets by which HTTP comes in, made so that a successor may listen on the same port.</summary>
internal sealed class ListenSockets
{
    private readonly ConcurrentQueue<Socket> _sockets = [];

    /// <summary>All that were made.</summary>
    public IReadOnlyCollection<Socket> All => _sockets;

    /// <summary>Makes one.</summary>
    public Socket Bind(EndPoint endPoint)
    {
        if (endPoint is not IPEndPoint ip)
        {
            return SocketTransportOptions.CreateDefaultBoundListenSocket(endPoint);
        }

        var socket = new Socket(ip.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        if (ip.Address.Equals(IPAddress.IPv6Any))
        {
            socket.DualMode = true;
        }

        ReusePortGroup.Join(socket);
        socket.Bind(endPoint);
        _sockets.Enqueue(socket);
        return socket;
    }
}

/// <summary>A socket that listens already, given to this process when it was started: systemd's socket activation.</summary>
internal static class ActivatedSocket
{
    /// <summary>Whether there is one. What it listens on is then systemd's business.</summary>
    public static bool IsThere =>
        Environment.GetEnvironmentVariable("LISTEN_PID") == Environment.ProcessId.ToString(CultureInfo.InvariantCulture)
        && int.TryParse(Environment.GetEnvironmentVariable("LISTEN_FDS"), NumberStyles.None, CultureInfo.InvariantCulture, out var count)
        && count > 0;
}
