using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Links;

/// <summary>
/// A port on this machine's loopback that leads to the script of a session on another machine. Other programs of this machine can connect to it,
/// too; the script asks for its secret, which only the fleet knows.
/// </summary>
public sealed class LinkTunnel : IAsyncDisposable
{
    /// <summary>Connections at once; a gateway needs a few.</summary>
    public const int MaxConnections = 64;

    private static readonly TimeSpan OpenTimeout = TimeSpan.FromSeconds(5);

    private readonly LinkCertificates _certificates;
    private readonly DnsEndPoint _host;
    private readonly SessionCopy _copy;
    private readonly ILogger _logger;
    private readonly LinkListener _listener;
    private readonly LinkLimit _limit = new(MaxConnections, MaxConnections);
    private int _isFailing;

    /// <summary>Begins to listen.</summary>
    public LinkTunnel(LinkCertificates certificates, string address, int port, SessionCopy copy, ILogger logger)
    {
        (_certificates, _host, _copy, _logger) = (certificates, new DnsEndPoint(address, port), copy, logger);
        _listener = new LinkListener(IPAddress.Loopback, 0, TimeProvider.System, ServeAsync, static _ => { });
    }

    /// <summary>The port.</summary>
    public int Port => _listener.Port;

    public ValueTask DisposeAsync() => _listener.DisposeAsync();

    private async Task ServeAsync(Socket socket, CancellationToken stopping)
    {
        if (!_limit.TryEnter(IPAddress.Loopback))
        {
            return;
        }

        try
        {
            socket.NoDelay = true;
            using var link = new Socket(SocketType.Stream, ProtocolType.Tcp);
            LinkSockets.Prepare(link);
            await using var near = new NetworkStream(socket);
            await using var far = await OpenAsync(link, stopping);
            Volatile.Write(ref _isFailing, 0);
            await LinkPump.RunAsync(far, near, stopping);
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException or OperationCanceledException or AuthenticationException)
        {
            // the connection ends, and the client of the script says what that means; the reason is known only here
            if (!stopping.IsCancellationRequested && Interlocked.Exchange(ref _isFailing, 1) == 0)
            {
                var reason = exception is OperationCanceledException ? $"no answer within {OpenTimeout.TotalSeconds:0} s" : exception.InnerException?.Message ?? exception.Message;
                FleetLogMessages.FleetLinkFailed(_logger, _copy.Session, $"{_host.Host}:{_host.Port.ToString(CultureInfo.InvariantCulture)}", reason);
            }
        }
        finally
        {
            _limit.Leave(IPAddress.Loopback);
        }
    }

    private async Task<SslStream> OpenAsync(Socket link, CancellationToken stopping)
    {
        using var timeLimit = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        timeLimit.CancelAfter(OpenTimeout);
        await link.ConnectAsync(_host, timeLimit.Token);
        var stream = new SslStream(new NetworkStream(link));
        try
        {
            await _certificates.ConnectAsync(stream, _host.Host, timeLimit.Token);
            await stream.WriteAsync(Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{_copy.Session} {_copy.Generation}\n")), timeLimit.Token);
            return stream;
        }
        catch
        {
            await stream.DisposeAsync();
            throw;
        }
    }
}
