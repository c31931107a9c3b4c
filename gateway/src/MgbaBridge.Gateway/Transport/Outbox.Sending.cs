using System.Buffers;
using System.Net.Sockets;

namespace MgbaBridge.Gateway.Transport;

/// <content>From the buffer to the socket.</content>
internal sealed partial class Outbox
{
    // a send that the kernel takes at once, which is nearly all of them, ends right here and allocates nothing
    private void SendAll()
    {
        try
        {
            while (TakeFilled())
            {
                var sending = socket.SendAsync(_leaving.Written, SocketFlags.None);
                if (!sending.IsCompletedSuccessfully)
                {
                    _ = GoOnAsync(sending, 0);
                    return;
                }

                var sent = sending.Result;
                if (sent < _leaving.Length)
                {
                    _ = GoOnAsync(socket.SendAsync(_leaving.Written[sent..], SocketFlags.None), sent);
                    return;
                }

                _leaving.Clear();
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            Break(exception);
        }
    }

    private async Task GoOnAsync(ValueTask<int> sending, int before)
    {
        try
        {
            for (var sent = before + await sending; sent < _leaving.Length;)
            {
                sent += await socket.SendAsync(_leaving.Written[sent..], SocketFlags.None);
            }

            _leaving.Clear();
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            Break(exception);
            return;
        }

        SendAll();
    }

    private void Break(Exception exception)
    {
        lock (_gate)
        {
            _closed = true;
            _state = State.Idle;
            ReturnBuffers();
        }

        broken(exception.Message);
    }

    private bool TakeFilled()
    {
        lock (_gate)
        {
            if (_filling.Length == 0 || _closed)
            {
                _state = State.Idle;
                if (_closed)
                {
                    ReturnBuffers();
                }
                else if (_ending)
                {
                    TellEnd();
                }

                return false;
            }

            (_filling, _leaving) = (_leaving, _filling);
            return true;
        }
    }

    private void TellEnd()
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // it is over already
        }
    }

    private void ReturnBuffers()
    {
        _filling.Dispose();
        _leaving.Dispose();
    }
}

/// <summary>Bytes that wait to be sent: one array that grows as needed and shrinks after a large message.</summary>
public sealed class SendBuffer : IBufferWriter<byte>, IDisposable
{
    private const int Default = 16_384;
    private const int KeptAtMost = 262_144;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(Default);

    /// <summary>How many bytes wait.</summary>
    public int Length { get; private set; }

    /// <summary>The bytes that wait.</summary>
    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    /// <inheritdoc/>
    public void Advance(int count) => Length += count;

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Grow(Math.Max(sizeHint, 256));
        return _bytes.AsMemory(Length);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Adds a tail.</summary>
    public void Append(in ReadOnlySequence<byte> tail)
    {
        var length = checked((int)tail.Length);
        Grow(length);
        tail.CopyTo(_bytes.AsSpan(Length));
        Length += length;
    }

    /// <summary>Takes back everything after <paramref name="length"/>.</summary>
    public void Truncate(int length) => Length = length;

    /// <summary>Everything was sent.</summary>
    public void Clear()
    {
        Length = 0;
        if (_bytes.Length > KeptAtMost)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = ArrayPool<byte>.Shared.Rent(Default);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        _bytes = [];
        Length = 0;
    }

    private void Grow(int room)
    {
        if (_bytes.Length - Length >= room)
        {
            return;
        }

        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(Length + room, _bytes.Length * 2));
        _bytes.AsSpan(0, Length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
