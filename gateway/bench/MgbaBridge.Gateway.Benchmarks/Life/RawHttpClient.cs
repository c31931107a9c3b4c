using System.Buffers.Text;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace MgbaBridge.Gateway.Benchmarks.Life;

/// <summary>One HTTP connection with blocking calls. Requests allocate nothing, so all measured allocations are the gateway's.</summary>
internal sealed class RawHttpClient : IDisposable
{
    public const string SmallRead = "/v2/memory/0x02000008/u32";
    public const string State = "/v2/state";

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = 10_000 };
    private readonly byte[] _request;
    private readonly byte[] _received = new byte[1_048_576];

    public RawHttpClient(int port, string path)
    {
        _request = Encoding.ASCII.GetBytes($"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/octet-stream, application/json\r\n\r\n");
        try
        {
            _socket.Connect(IPAddress.Loopback, port);
        }
        catch (SocketException)
        {
            _socket.Dispose();
            throw;
        }
    }

    /// <summary>Sends the request and returns the length of the answer in bytes.</summary>
    /// <exception cref="MeasurementException">The status is not 200.</exception>
    public int Send()
    {
        _socket.Send(_request);
        for (var (length, total) = (0, int.MaxValue); ;)
        {
            var count = _socket.Receive(_received.AsSpan(length));
            length += count;
            var end = total == int.MaxValue ? _received.AsSpan(0, length).IndexOf("\r\n\r\n"u8) : -1;
            if (end >= 0)
            {
                total = end + 4 + BodyLength(_received.AsSpan(0, end));
            }

            if (length >= total)
            {
                return total;
            }

            if (count == 0)
            {
                throw new MeasurementException("the gateway closed the connection before the end of an answer");
            }
        }
    }

    public void Dispose() => _socket.Dispose();

    private static int BodyLength(ReadOnlySpan<byte> head)
    {
        var name = "\r\nContent-Length: "u8;
        var at = head.IndexOf(name);
        if (!head.StartsWith("HTTP/1.1 200 "u8) || at < 0 || !Utf8Parser.TryParse(head[(at + name.Length)..], out int length, out _))
        {
            throw new MeasurementException($"the gateway answered {Encoding.ASCII.GetString(head[..Math.Min(head.Length, 60)])}");
        }

        return length;
    }
}
