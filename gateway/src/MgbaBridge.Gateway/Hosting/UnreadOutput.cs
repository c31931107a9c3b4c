using System.IO.Pipelines;
using MgbaBridge.Gateway.Interfaces.Http;
using Microsoft.AspNetCore.Connections;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>The output of a connection. While its client does not read, what was written is counted in <see cref="UnreadBytes"/>.</summary>
internal sealed class UnreadOutput : PipeWriter
{
    private readonly PipeWriter _connection;
    private readonly UnreadConnection _unread;
    private PipeWriter _inner;
    private long _written;

    /// <summary>Counts in <paramref name="unread"/>.</summary>
    public UnreadOutput(PipeWriter connection, UnreadConnection unread) => (_connection, _inner, _unread) = (connection, connection, unread);

    public override bool CanGetUnflushedBytes => _inner.CanGetUnflushedBytes;

    public override long UnflushedBytes => _inner.UnflushedBytes;

    /// <summary>Counts what each connection of a listener has not read.</summary>
    public static ConnectionDelegate Count(UnreadBytes all, ConnectionDelegate next) => connection =>
    {
        var unread = all.Connect(connection.RemoteEndPoint, () => connection.Abort(new ConnectionAbortedException("Too many bytes were left unread.")));
        connection.Features.Set(unread);
        var output = new UnreadOutput(connection.Transport.Output, unread);
        connection.Features.Set(output);
        connection.Transport = new Duplex(new NotedInput(connection.Transport.Input, unread), output);
        return next(connection);
    };

    /// <summary>Writes the last answer of the connection. What the server writes in place of it is left out.</summary>
    public void End(ReadOnlySpan<byte> answer)
    {
        answer.CopyTo(_inner.GetSpan(answer.Length));
        _inner.Advance(answer.Length);
        _inner = Create(Stream.Null);
    }

    public override Memory<byte> GetMemory(int sizeHint = 0) => _inner.GetMemory(sizeHint);

    public override Span<byte> GetSpan(int sizeHint = 0) => _inner.GetSpan(sizeHint);

    public override void Advance(int bytes)
    {
        _written += bytes;
        _unread.Wrote();
        _inner.Advance(bytes);
    }

    /// <summary>Completes at once while less than the server's threshold (64 KiB) is unread.</summary>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        var flush = FlushBothAsync(cancellationToken);
        if (!flush.IsCompleted)
        {
            return WaitAsync(flush);
        }

        _written = 0;
        return flush;
    }

    public override void CancelPendingFlush() => _connection.CancelPendingFlush();

    public override void Complete(Exception? exception = null) => _connection.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => _connection.CompleteAsync(exception);

    private ValueTask<FlushResult> FlushBothAsync(CancellationToken cancellationToken)
    {
        if (_inner != _connection)
        {
            _inner.FlushAsync(CancellationToken.None).AsTask().GetAwaiter().GetResult(); // to nowhere
        }

        return _connection.FlushAsync(cancellationToken);
    }

    private async ValueTask<FlushResult> WaitAsync(ValueTask<FlushResult> flush)
    {
        using var waiting = _unread.Wait(_written);
        _written = 0;
        return await flush;
    }

    /// <summary>The input of a connection, which notes when something has come.</summary>
    private sealed class NotedInput(PipeReader inner, UnreadConnection connection) : PipeReader
    {
        public override bool TryRead(out ReadResult result) => inner.TryRead(out result);

        public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) => inner.ReadAsync(cancellationToken);

        public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

        public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
        {
            connection.Received(); // the server examines only what has come
            inner.AdvanceTo(consumed, examined);
        }

        public override void CancelPendingRead() => inner.CancelPendingRead();

        public override void Complete(Exception? exception = null) => inner.Complete(exception);

        public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);
    }

    private sealed record Duplex(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
