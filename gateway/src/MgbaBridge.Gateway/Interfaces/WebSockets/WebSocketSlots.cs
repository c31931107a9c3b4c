namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The slots of one session: they limit its concurrent requests to <see cref="WebSocketLimits.Requests"/> and are reused.</summary>
internal sealed class WebSocketSlots(WebSocketSession session) : IDisposable
{
    private readonly SemaphoreSlim _available = new(WebSocketLimits.Requests, WebSocketLimits.Requests);
    private readonly Stack<WebSocketSlot> _free = new();
    private readonly Lock _gate = new();

    /// <summary>Waits for a free slot and starts an operation in it.</summary>
    public async ValueTask StartAsync(WebSocketRequest request, WebSocketHandler operation)
    {
        await _available.WaitAsync(session.Over);
        WebSocketSlot? slot;
        lock (_gate)
        {
            _free.TryPop(out slot);
        }

        (slot ?? new WebSocketSlot(session)).Run(operation, request);
    }

    /// <summary>Returns the slot of a request that has ended.</summary>
    public void Return(WebSocketSlot slot)
    {
        lock (_gate)
        {
            _free.Push(slot);
        }

        _available.Release();
    }

    /// <summary>Waits until all requests have ended. No slot is available afterwards.</summary>
    public async Task DrainAsync()
    {
        for (var count = 0; count < WebSocketLimits.Requests; count++)
        {
            await _available.WaitAsync();
        }
    }

    public void Dispose() => _available.Dispose();
}
