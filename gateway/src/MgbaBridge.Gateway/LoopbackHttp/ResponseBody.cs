using System.Globalization;

namespace MgbaBridge.Gateway.LoopbackHttp;

/// <summary>The body of a response.</summary>
/// <param name="received">Where it is read from.</param>
/// <param name="length">Its length, or null if it consists of chunks.</param>
/// <param name="isUntilTheEnd">Whether it ends with the connection.</param>
internal sealed class ResponseBody(ReceivedBytes received, long? length, bool isUntilTheEnd) : Stream
{
    private long _left = length ?? 0; // of the body, or of the chunk
    private bool _hasChunks = length is null;
    private bool _isFirstChunk = true;

    /// <inheritdoc/>
    public override bool CanRead => true;

    /// <inheritdoc/>
    public override bool CanSeek => false;

    /// <inheritdoc/>
    public override bool CanWrite => false;

    /// <inheritdoc/>
    public override long Length => throw new NotSupportedException();

    /// <inheritdoc/>
    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public override int Read(Span<byte> buffer)
    {
        if (_left == 0 && _hasChunks)
        {
            NextChunk();
        }

        if (_left == 0 || buffer.Length == 0)
        {
            return 0;
        }

        var count = received.Read(buffer[..(int)Math.Min(buffer.Length, _left)]);
        _left -= count;
        return count > 0 || isUntilTheEnd ? count : throw ReceivedBytes.EndedEarly();
    }

    /// <inheritdoc/>
    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    /// <inheritdoc/>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    /// <inheritdoc/>
    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) => Task.FromResult(Read(buffer, offset, count));

    /// <inheritdoc/>
    public override void Flush()
    {
    }

    /// <inheritdoc/>
    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void SetLength(long value) => throw new NotSupportedException();

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        received.Dispose();
        base.Dispose(disposing);
    }

    private void NextChunk()
    {
        var budget = ReceivedBytes.MaxLines;
        if (!_isFirstChunk && received.Line(ref budget).Length > 0)
        {
            throw new IOException("a chunk of the response is longer than it says");
        }

        _isFirstChunk = false;
        var size = received.Line(ref budget).Split(';')[0].Trim();
        if (size.Length > 15 || !long.TryParse(size, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out _left))
        {
            throw new IOException($"the length of a chunk of the response is \"{size}\"");
        }

        if (_left == 0)
        {
            _hasChunks = false;
            while (received.Line(ref budget).Length > 0)
            {
                // a trailer
            }
        }
    }
}
