using System.Buffers;
using System.Diagnostics;
using System.Net.WebSockets;
using System.Runtime.CompilerServices;
using MgbaBridge.Gateway.Interfaces.Http;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The receiving half of a socket: whole messages, one at a time, in a buffer that grows with them and shrinks again.</summary>
/// <param name="socket">Where from.</param>
/// <param name="longest">The longest message in bytes.</param>
internal sealed class WebSocketReceiver(WebSocket socket, int longest) : IDisposable
{
    private const int Default = 8_192;

    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(Default);
    private int _length;
    private long _waitingSince;

    /// <summary>How long nothing has come from the client, pings' answers included; zero while nothing is read.</summary>
    public TimeSpan SilentFor(UnreadConnection connection) =>
        Volatile.Read(ref _waitingSince) is var since and > 0 ? Stopwatch.GetElapsedTime(Math.Max(since, connection.LastReceived)) : TimeSpan.Zero;

    /// <summary>The last message received. Valid until the next one is requested.</summary>
    public ReadOnlyMemory<byte> Message => _buffer.AsMemory(0, _length);

    /// <summary>Waits for the next message. Null when it is longer than allowed; the rest of it must then not be read.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<WebSocketMessageType?> ReceiveAsync()
    {
        Shrink();
        _length = 0;
        while (true)
        {
            Volatile.Write(ref _waitingSince, Stopwatch.GetTimestamp());
            var result = await socket.ReceiveAsync(_buffer.AsMemory(_length), CancellationToken.None);
            Volatile.Write(ref _waitingSince, 0);
            _length += result.Count;
            if (_length > longest)
            {
                return null;
            }

            if (result.EndOfMessage || result.MessageType == WebSocketMessageType.Close)
            {
                return result.MessageType;
            }

            if (_length == _buffer.Length)
            {
                Grow();
            }
        }
    }

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);

    private void Shrink()
    {
        if (_buffer.Length > Default * 8)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = ArrayPool<byte>.Shared.Rent(Default);
        }
    }

    private void Grow()
    {
        var larger = ArrayPool<byte>.Shared.Rent(_buffer.Length * 2);
        _buffer.AsSpan(0, _length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = larger;
    }
}
