using System.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Client.Transport;

/// <summary>Writes requests to a send buffer, in the script's protocol. The caller serializes the calls.</summary>
internal sealed class RequestEncoder(Session session)
{
    private bool _saidHello;

    /// <summary>Writes the request. False, and nothing is written, if its head has more than <paramref name="headLimit"/> bytes.</summary>
    public bool TryWrite(SendBuffer buffer, Exchange exchange, Epoch? epoch, int headLimit)
    {
        var start = buffer.Length;
        var headLength = exchange.WriteTo(buffer, Acknowledgement(exchange), epoch);
        if (headLength - Wire.Terminator.Length <= headLimit)
        {
            return true;
        }

        buffer.Truncate(start);
        return false;
    }

    /// <summary>Ends the first request with an empty line. The script ignores white space there; a web server on this port answers at once.</summary>
    public void EndHello(SendBuffer buffer)
    {
        if (!_saidHello)
        {
            _saidHello = true;
            "\r\n\r\n"u8.CopyTo(buffer.GetSpan(4));
            buffer.Advance(4);
        }
    }

    // the script keeps the replies of effects only; heartbeats acknowledge too, so that it forgets those of an idle session
    private long Acknowledgement(Exchange exchange) =>
        exchange.Unattended || exchange.Descriptor.Kind == CommandKind.Effect ? session.Acknowledged : 0;
}

/// <summary>Bytes to be sent, in one pooled array that grows as needed and shrinks after a large message.</summary>
internal sealed class SendBuffer : IBufferWriter<byte>, IDisposable
{
    private const int DefaultSize = 16_384;
    private const int MaxKept = 262_144;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(DefaultSize);

    /// <summary>The number of bytes.</summary>
    public int Length { get; private set; }

    /// <summary>The bytes.</summary>
    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, Length);

    public void Advance(int count) => Length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Grow(Math.Max(sizeHint, 256));
        return _bytes.AsMemory(Length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Appends a tail.</summary>
    public void Append(in ReadOnlySequence<byte> tail)
    {
        var length = checked((int)tail.Length);
        Grow(length);
        tail.CopyTo(_bytes.AsSpan(Length));
        Length += length;
    }

    /// <summary>Removes everything after <paramref name="length"/>.</summary>
    public void Truncate(int length) => Length = length;

    /// <summary>Removes all bytes.</summary>
    public void Clear()
    {
        Length = 0;
        if (_bytes.Length > MaxKept)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
            _bytes = ArrayPool<byte>.Shared.Rent(DefaultSize);
        }
    }

    public void Dispose()
    {
        if (_bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        _bytes = [];
        Length = 0;
    }

    private void Grow(int space)
    {
        if (_bytes.Length - Length >= space)
        {
            return;
        }

        var larger = ArrayPool<byte>.Shared.Rent(Math.Max(Length + space, _bytes.Length * 2));
        _bytes.AsSpan(0, Length).CopyTo(larger);
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = larger;
    }
}
