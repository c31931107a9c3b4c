using System.Net.Sockets;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>A connection whose asynchronous calls complete in the caller's thread, so that no thread switch of the client is measured.</summary>
internal sealed class WireStream(int port, WaitMode waitMode) : Stream
{
    private const int SpinLimit = 2000; // about a millisecond

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(5);

    private readonly LoopbackSocket _socket = LoopbackSocket.Open(port, Timeout, out var error) is var socket && error == Errno.None
        ? socket
        : throw new MeasurementException($"port {port}: {error}");

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> buffer)
    {
        for (var i = 0; i < SpinLimit && waitMode == WaitMode.Spin; i++)
        {
            if (_socket.TryReceive(buffer, out var found))
            {
                return found;
            }
        }
        var count = _socket.Receive(buffer, out var error);
        return error == Errno.None ? count : throw new IOException($"no answer: {error}", new SocketException((int)error));
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        Task.FromResult(Read(buffer.AsSpan(offset, count)));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            var count = _socket.Send(buffer, out var error);
            buffer = error == Errno.None ? buffer[count..] : throw new IOException($"not sent: {error}", new SocketException((int)error));
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        Write(buffer.Span);
        return ValueTask.CompletedTask;
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        Write(buffer.AsSpan(offset, count));
        return Task.CompletedTask;
    }

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _socket.Dispose();
        }
        base.Dispose(disposing);
    }
}

/// <summary>How a client waits for its answer.</summary>
internal enum WaitMode
{
    /// <summary>Blocks in the kernel.</summary>
    Block,

    /// <summary>Spins for a while before it blocks, as a client with a core of its own does.</summary>
    Spin,
}
