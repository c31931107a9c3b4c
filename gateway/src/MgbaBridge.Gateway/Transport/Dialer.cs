using System.Net;
using System.Net.Sockets;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Transport;

/// <summary>Opens TCP connections.</summary>
internal sealed class Dialer(TransportSettings settings, TimeProvider time)
{
    private const int KeepAliveSeconds = 15;

    /// <summary>Connects, or says why not.</summary>
    public async Task<(Socket? Socket, FailureReport? Failure)> DialAsync(string host, int port, CancellationToken cancellationToken)
    {
        var address = $"{host}:{port}";
        var patience = settings.Now.ConnectTimeout;
        using var timeout = new CancellationTokenSource(patience, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, timeout.Token);
        var socket = NewSocket(host, out var endPoint, port);
        try
        {
            await socket.ConnectAsync(endPoint, either.Token);
            return (socket, null);
        }
        catch (OperationCanceledException)
        {
            socket.Dispose();
            return (null, cancellationToken.IsCancellationRequested ? FailureText.Stopping() : FailureText.ConnectTimedOut(address, patience));
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            return (null, FailureText.ConnectFailed(address, exception.Message + "."));
        }
    }

    private static Socket NewSocket(string host, out EndPoint endPoint, int port)
    {
        var numeric = IPAddress.TryParse(host, out var ip);
        endPoint = numeric ? new IPEndPoint(ip!, port) : new DnsEndPoint(host, port);
        var socket = numeric
            ? new Socket(ip!.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
            : new Socket(SocketType.Stream, ProtocolType.Tcp);
        socket.NoDelay = true;
        socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, KeepAliveSeconds);
        socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, KeepAliveSeconds);
        return socket;
    }
}
