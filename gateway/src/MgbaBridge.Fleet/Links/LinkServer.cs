using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Links;

/// <summary>
/// Accepts connections of gateways on a host, and connects each to the script of the session that its first line names: id, space, generation, line
/// feed. The scripts themselves listen on loopback only.
/// </summary>
/// <param name="certificates">Who may connect.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where refused connections are reported.</param>
public sealed class LinkServer(LinkCertificates certificates, TimeProvider time, ILogger logger) : IAsyncDisposable
{
    /// <summary>The longest first line.</summary>
    public const int MaxLine = 64;

    /// <summary>Connections to scripts at once.</summary>
    public const int MaxConnections = 4_096;

    /// <summary>Connections of one address at once that have not named their session yet.</summary>
    public const int MaxUnproved = 128;

    private const int MaxUnprovedInAll = 512;

    /// <summary>How long a connection may take to show its certificate and name its session.</summary>
    public static readonly TimeSpan OpenTimeout = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan LogEvery = TimeSpan.FromSeconds(1);

    private readonly ConcurrentDictionary<SessionCopy, int> _ports = [];
    private readonly LinkLimit _unproved = new(MaxUnprovedInAll, MaxUnproved);
    private readonly LinkLimit _connected = new(MaxConnections, MaxConnections);
    private readonly Lock _logging = new();
    private LinkListener? _listener;
    private long? _loggedAt;

    /// <summary>Begins to listen, at the first of so many ports that is free. Returns the port.</summary>
    /// <exception cref="FleetLinkException">The address is not one of this machine, or all ports are in use.</exception>
    public int Start(IPAddress address, int port, int ports = 1)
    {
        try
        {
            _listener = new LinkListener(address, port, time, ServeAsync, Report);
            return _listener.Port;
        }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.AddressAlreadyInUse && ports > 1 && port is > 0 and < IPEndPoint.MaxPort)
        {
            return Start(address, port + 1, ports - 1);
        }
        catch (SocketException exception)
        {
            throw new FleetLinkException(
                $"This host cannot listen at {new IPEndPoint(address, port)}: {exception.Message}. Set Bridge:Fleet:ListenAddress to an address of this machine and ListenPort to a free port; 0 takes any.", exception);
        }
    }

    /// <summary>Serves a copy at the port of its script.</summary>
    public void Serve(SessionCopy copy, int port) => _ports[copy] = port;

    /// <summary>Accepts no more connections for a copy.</summary>
    public void Forget(SessionCopy copy) => _ports.TryRemove(copy, out _);

    public ValueTask DisposeAsync() => _listener?.DisposeAsync() ?? ValueTask.CompletedTask;

    private async Task ServeAsync(Socket socket, CancellationToken stopping)
    {
        try
        {
            LinkSockets.Prepare(socket);
            await using var stream = new SslStream(new NetworkStream(socket));
            var address = (socket.RemoteEndPoint as IPEndPoint)?.Address ?? IPAddress.None;
            using var script = await OpenLimitedAsync(stream, address, stopping);
            if (script is null)
            {
                return; // the gateway looks for the session anew
            }

            try
            {
                await using var local = new NetworkStream(script);
                await LinkPump.RunAsync(stream, local, stopping);
            }
            finally
            {
                _connected.Leave(IPAddress.None);
            }
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException or OperationCanceledException or AuthenticationException)
        {
            if (!stopping.IsCancellationRequested)
            {
                Report(exception is OperationCanceledException ? $"it took longer than {OpenTimeout.TotalSeconds:0} s to open" : exception.InnerException?.Message ?? exception.Message);
            }
        }
    }

    private async Task<Socket?> OpenLimitedAsync(SslStream stream, IPAddress address, CancellationToken stopping)
    {
        if (!_unproved.TryEnter(address))
        {
            Report($"{address} opens more than {MaxUnproved} connections at once");
            return null;
        }

        try
        {
            using var timeLimit = new CancellationTokenSource(OpenTimeout, time);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(timeLimit.Token, stopping);
            return await OpenAsync(stream, either.Token);
        }
        finally
        {
            _unproved.Leave(address);
        }
    }

    /// <summary>A connection to the script; counted.</summary>
    private async Task<Socket?> OpenAsync(SslStream stream, CancellationToken cancellationToken)
    {
        await certificates.AcceptAsync(stream, cancellationToken);
        if (await ReadLineAsync(stream, cancellationToken) is not { } copy || !_ports.TryGetValue(copy, out var port))
        {
            return null;
        }

        if (!_connected.TryEnter(IPAddress.None))
        {
            Report($"there are {MaxConnections} connections already");
            return null;
        }

        var script = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await script.ConnectAsync(IPAddress.Loopback, port, cancellationToken);
            return script;
        }
        catch
        {
            script.Dispose();
            _connected.Leave(IPAddress.None);
            throw;
        }
    }

    private static async Task<SessionCopy?> ReadLineAsync(Stream stream, CancellationToken cancellationToken)
    {
        var line = new byte[MaxLine];
        for (var length = 0; length < MaxLine; length++)
        {
            if (await stream.ReadAsync(line.AsMemory(length, 1), cancellationToken) == 0)
            {
                return null;
            }

            if (line[length] == (byte)'\n')
            {
                var words = Encoding.ASCII.GetString(line, 0, length).Split(' ');
                return words.Length == 2 && long.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out var generation) ? new SessionCopy(words[0], generation) : null;
            }
        }

        return null;
    }

    /// <summary>At most once a second: others on the network decide how often connections fail.</summary>
    private void Report(string reason)
    {
        lock (_logging)
        {
            if (_loggedAt is { } last && time.GetElapsedTime(last) < LogEvery)
            {
                return;
            }

            _loggedAt = time.GetTimestamp();
        }

        FleetLogMessages.FleetLinkRefused(logger, reason);
    }
}
