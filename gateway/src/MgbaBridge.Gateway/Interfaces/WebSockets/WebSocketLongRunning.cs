namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>A client's requests that take frames: as many as allowed side by side, and each can be cancelled by its id.</summary>
/// <param name="over">Cancels all.</param>
internal sealed class WebSocketLongRunning(CancellationToken over)
{
    private readonly Dictionary<WebSocketId, LongRunningRequest> _running = [];
    private readonly Lock _gate = new();
    private TaskCompletionSource? _empty;
    private int _open; // those that run, and those whose answers are being sent

    /// <summary>Begins one, or says why not.</summary>
    public string? TryBegin(WebSocketId id, out LongRunningRequest request)
    {
        request = null!;
        lock (_gate)
        {
            // answers that nobody reads must not gather
            if (_running.Count >= WebSocketLimits.LongRunning || _open >= 2 * WebSocketLimits.LongRunning)
            {
                return $"{WebSocketLimits.LongRunning} requests of this socket that take frames are still under way; wait for some, or cancel them.";
            }

            if (_running.ContainsKey(id))
            {
                return "A request with this id is still under way; give each its own.";
            }

            request = new LongRunningRequest(this, id, CancellationTokenSource.CreateLinkedTokenSource(over));
            _running.Add(id, request);
            _open++;
            return null;
        }
    }

    /// <summary>The work of one is done, and its answer follows: a client that has read it may use the id again.</summary>
    public void Free(LongRunningRequest request)
    {
        lock (_gate)
        {
            if (_running.GetValueOrDefault(request.Id) == request)
            {
                _running.Remove(request.Id);
            }
        }
    }

    /// <summary>One was answered.</summary>
    public void End(LongRunningRequest request)
    {
        Free(request);
        request.Cancellation.Dispose();
        lock (_gate)
        {
            if (--_open == 0)
            {
                _empty?.TrySetResult();
            }
        }
    }

    /// <summary>Cancels one. False when none with this id is under way.</summary>
    public bool Cancel(WebSocketId id)
    {
        LongRunningRequest? request;
        lock (_gate)
        {
            request = _running.GetValueOrDefault(id);
        }

        try
        {
            request?.Cancellation.Cancel();
        }
        catch (ObjectDisposedException)
        {
            return false; // it ended in this very moment
        }

        return request is not null;
    }

    /// <summary>Waits until all are answered.</summary>
    public Task EndAsync()
    {
        lock (_gate)
        {
            _empty = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            if (_open == 0)
            {
                _empty.SetResult();
            }

            return _empty.Task;
        }
    }
}

/// <summary>A request that takes frames.</summary>
/// <param name="owner">The requests of the client.</param>
/// <param name="id">Its id.</param>
/// <param name="cancellation">Cancels it.</param>
internal sealed class LongRunningRequest(WebSocketLongRunning owner, WebSocketId id, CancellationTokenSource cancellation)
{
    /// <summary>Its id.</summary>
    public WebSocketId Id { get; } = id;

    /// <summary>Cancels it.</summary>
    public CancellationTokenSource Cancellation { get; } = cancellation;

    /// <summary>Its work is done, and its answer follows.</summary>
    public void Free() => owner.Free(this);
}
