using System.Buffers;
using System.Net;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Designs;

/// <summary>A connection to the baseline script: one message, then its answer, both terminated by &lt;|END|&gt;.</summary>
internal sealed class BaselineConnection : IDisposable
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly ArrayBufferWriter<byte> _received = new(4096);

    private static ReadOnlySpan<byte> Terminator => "<|END|>"u8;

    public static async Task<BaselineConnection> OpenAsync(int port, CancellationToken cancel)
    {
        var connection = new BaselineConnection();
        try
        {
            await connection._socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), cancel);
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <summary>After an exception the connection is unusable.</summary>
    public async Task<byte[]> SendAsync(ReadOnlyMemory<byte> message, CancellationToken cancel)
    {
        byte[] framed = [.. message.Span, .. Terminator];
        for (var sent = 0; sent < framed.Length;)
        {
            sent += await _socket.SendAsync(framed.AsMemory(sent), cancel);
        }
        _received.ResetWrittenCount();
        while (!_received.WrittenSpan.EndsWith(Terminator))
        {
            var count = await _socket.ReceiveAsync(_received.GetMemory(4096), cancel);
            if (count == 0)
            {
                throw new IOException("the script closed the connection");
            }
            _received.Advance(count);
        }
        return _received.WrittenSpan[..^Terminator.Length].ToArray();
    }

    public void Dispose() => _socket.Dispose();
}
