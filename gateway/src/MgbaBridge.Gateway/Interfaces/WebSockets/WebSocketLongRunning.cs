namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>A client's requests that take frames: as many as allowed side by side, and each can be taken back by its id.</summary>
/// <param name="over">Takes back all.</param>
internal sealed class WebSocketLongRunning(CancellationToken over)
{
    private readonly Dictionary<WebSocketId, CancellationTokenSource> _running = [];
    private readonly Lock _gate = new();
    private TaskCompletionSource? _empty;

    /// <summary>Begins one, or says why not.</summary>
    public string? TryBegin(WebSocketId id, out CancellationToken cancellation)
    {
        cancellation = default;
        lock (_gate)
        {
            if (_running.Count >= WebSocketLimits.LongRunning)
            {
                return $"{WebSocketLimits.LongRunning} requests of this socket that take frames are still under way; wait for some, or cancel them.";
            }

            if (_running.ContainsKey(id))
            {
                return "A request with this id is still under way; give each its own.";
            }

            var source = CancellationTokenSource.CreateLinkedTokenSource(over);
            _running.Add(id, source);
            cancellation = source.Token;
            return null;
        }
    }

    /// <summary>One is over.</summary>
    public void End(WebSocketId id)
    {
        lock (_gate)
        {
            if (_running.Remove(id, out var source))
            {
                source.Dispose();
            }

            if (_running.Count == 0)
            {
                _empty?.TrySetResult();
            }
        }
    }

    /// <summary>Takes one back. False when there is none with this id.</summary>
    public bool Cancel(WebSocketId id)
    {
        CancellationTokenSource? source;
        lock (_gate)
        {
            source = _running.GetValueOrDefault(id);
        }

        try
        {
            source?.Cancel();
        }
        catch (ObjectDisposedException)
        {
            return false; // it ended in this very moment
        }

        return source is not null;
    }

    /// <summary>Waits until none is under way.</summary>
    public Task EndAsync()
    {
        lock (_gate)
        {
            _empty = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_running.Count == 0)
            {
                _empty.SetResult();
            }

            return _empty.Task;
        }
    }
}
