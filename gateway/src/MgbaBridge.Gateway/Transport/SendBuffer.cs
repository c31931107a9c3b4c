using System.Buffers;

namespace MgbaBridge.Gateway.Transport;

/// <summary>Bytes that wait to be sent: one array that grows as needed and shrinks after a large message.</summary>
public sealed class SendBuffer : IBufferWriter<byte>, IDisposable
{
    private const int Usual = 16_384;
    private const int KeptAtMost = 262_144;

    private byte[] _bytes = ArrayPool<byte>.Shared.Rent(Usual);

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
            _bytes = ArrayPool<byte>.Shared.Rent(Usual);
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
