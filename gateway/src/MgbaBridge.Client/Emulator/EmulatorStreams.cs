namespace MgbaBridge.Client.Emulator;

/// <summary>The WebSockets, event streams and picture streams of one emulator. They end when it is removed, before its connections close.</summary>
internal sealed class EmulatorStreams : IDisposable
{
    /// <summary>The reason that clients are given.</summary>
    public const string RemovedReason = "the emulator was removed";

    private readonly CancellationTokenSource _removed = new();
    private readonly TaskCompletionSource _empty = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // one for the emulator itself
    private int _open = 1;

    /// <summary>Cancelled when the emulator is removed.</summary>
    public CancellationToken Removed => _removed.Token;

    /// <summary>Counts a stream until it is disposed.</summary>
    public IDisposable Enter()
    {
        Interlocked.Increment(ref _open);
        return new Entry(this);
    }

    public void Dispose() => _removed.Cancel();

    /// <summary>Ends the streams. Waits until they have ended, at most until <paramref name="cancellationToken"/>.</summary>
    internal async Task EndAsync(CancellationToken cancellationToken)
    {
        await _removed.CancelAsync();
        Leave();
        await Task.WhenAny(_empty.Task, Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken));
    }

    private void Leave()
    {
        if (Interlocked.Decrement(ref _open) == 0)
        {
            _empty.TrySetResult();
        }
    }

    private sealed class Entry(EmulatorStreams streams) : IDisposable
    {
        private int _left;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _left, 1) == 0)
            {
                streams.Leave();
            }
        }
    }
}
