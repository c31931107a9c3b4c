using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.LoopbackHttp;

/// <summary>
/// Sends requests to a gateway on this machine over plain HTTP/1.1: a connection for each, and blocking calls. <see cref="SocketsHttpHandler"/> with its
/// pool of connections takes longer to start than the whole request (docs/decisions/0018-verbs-use-a-socket.md).
/// </summary>
/// <param name="address">The loopback address.</param>
/// <param name="silence">How long a gateway may send nothing before it is asked whether it still answers.</param>
/// <param name="patience">How long it may take to answer that.</param>
internal sealed class LoopbackHandler(IPAddress address, TimeSpan silence, TimeSpan patience) : HttpMessageHandler
{
    /// <summary>How long a gateway may send nothing before it is asked whether it still answers, and how long that may take.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    // Linux: how often a connection is attempted again, so that it is given up after about 7 s
    private const int TcpLevel = 6;
    private const int SynCount = 7;

    /// <summary>The handler for a gateway's URL, or null if it is not for that URL.</summary>
    public static LoopbackHandler? For(Uri url) => url.Scheme != Uri.UriSchemeHttp ? null : url.Host switch
    {
        "127.0.0.1" => new LoopbackHandler(IPAddress.Loopback, Patience, Patience),
        "[::1]" => new LoopbackHandler(IPAddress.IPv6Loopback, Patience, Patience),
        _ => null,
    };

    /// <inheritdoc/>
    protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
        Task.FromResult(Send(request, cancellationToken));

    /// <summary>The failure of a request to a program that did not answer another one either.</summary>
    public static IOException NoAnswer(TimeSpan patience) =>
        new(string.Create(CultureInfo.InvariantCulture, $"the program that listens there does not answer within {patience.TotalSeconds:0.###} s"));

    /// <inheritdoc/>
    protected override HttpResponseMessage Send(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var socket = NewSocket();
        try
        {
            var gateway = request.RequestUri!;
            socket.Connect(new IPEndPoint(address, gateway.Port));
            var unsent = Write(socket, request);
            try
            {
                return LoopbackResponse.Read(new ReceivedBytes(socket, silence, () => CheckThatItAnswers(gateway)));
            }
            catch (IOException exception) when (unsent is not null)
            {
                throw new HttpRequestException(exception.Message, unsent);
            }
        }
        catch (SocketException exception)
        {
            socket.Dispose();
            throw new HttpRequestException(exception.Message, exception);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private Socket NewSocket()
    {
        var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, SendTimeout = (int)patience.TotalMilliseconds };
        if (OperatingSystem.IsLinux())
        {
            socket.SetRawSocketOption(TcpLevel, SynCount, [2, 0, 0, 0]);
        }

        return socket;
    }

    // A wait for the game may take long, and events are rare: only a gateway that does not answer another request either is given up. One that closes
    // the connection answers: it may have reached its limit of connections, or be about to end.
    private void CheckThatItAnswers(Uri gateway)
    {
        using var socket = NewSocket();
        try
        {
            socket.Connect(new IPEndPoint(address, gateway.Port));
            socket.Send(Encoding.ASCII.GetBytes($"GET /healthz HTTP/1.1\r\nHost: {gateway.Authority}\r\nConnection: close\r\n\r\n"));
        }
        catch (SocketException exception) when (exception.SocketErrorCode != SocketError.TimedOut)
        {
            return;
        }
        catch (SocketException)
        {
            throw NoAnswer(patience);
        }

        if (!socket.Poll(patience, SelectMode.SelectRead))
        {
            throw NoAnswer(patience);
        }
    }

    // A gateway that refuses a body may answer and close the connection before it has read all of it.
    private static SocketException? Write(Socket socket, HttpRequestMessage request)
    {
        using var message = new MemoryStream();
        using var body = new MemoryStream();
        request.Content?.CopyTo(body, null, CancellationToken.None);
        var head = new StringBuilder()
            .Append(request.Method.Method).Append(' ').Append(request.RequestUri!.PathAndQuery).Append(" HTTP/1.1\r\nHost: ").Append(request.RequestUri.Authority)
            .Append("\r\nConnection: close\r\n");
        foreach (var (name, values) in request.Headers.NonValidated)
        {
            head.Append(name).Append(": ").Append(values.ToString()).Append("\r\n");
        }

        if (request.Content is { } content)
        {
            foreach (var (name, values) in content.Headers.NonValidated)
            {
                if (name != "Content-Length")
                {
                    head.Append(name).Append(": ").Append(values.ToString()).Append("\r\n");
                }
            }
        }

        if (request.Content is not null || request.Method != HttpMethod.Get)
        {
            head.Append("Content-Length: ").Append(body.Length.ToString(CultureInfo.InvariantCulture)).Append("\r\n");
        }

        message.Write(Encoding.Latin1.GetBytes(head.Append("\r\n").ToString()));
        body.WriteTo(message);
        try
        {
            for (var rest = message.GetBuffer().AsSpan(0, (int)message.Length); rest.Length > 0;)
            {
                rest = rest[socket.Send(rest)..];
            }

            return null;
        }
        catch (SocketException exception)
        {
            return exception;
        }
    }
}
