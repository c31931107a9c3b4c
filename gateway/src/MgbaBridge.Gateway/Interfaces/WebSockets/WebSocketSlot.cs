using System.Runtime.CompilerServices;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The state of one request in progress. Slots are reused and hold the result of the request, so that a request needs no allocation.</summary>
internal sealed class WebSocketSlot
{
    private readonly WebSocketSession _session;
    private readonly Action _ended;
    private WebSocketRequest _request;
    private ValueTaskAwaiter _running;

    public WebSocketSlot(WebSocketSession session)
    {
        _session = session;
        _ended = End;
    }

    /// <summary>Runs an operation here. The place is free again when it is over.</summary>
    public void Run(WebSocketHandler operation, in WebSocketRequest request)
    {
        _request = request;
        try
        {
            Keep(operation(_session, request));
        }
        catch (Exception exception)
        {
            _ = _session.FailAsync(this, request, exception);
            return;
        }

        if (_running.IsCompleted)
        {
            End();
        }
        else
        {
            _running.UnsafeOnCompleted(_ended);
        }
    }

    private void Keep(ValueTask running) => _running = running.GetAwaiter();

    private void End()
    {
        var (running, request) = (_running, _request);
        (_running, _request) = (default, default);
        try
        {
            running.GetResult();
        }
        catch (Exception exception)
        {
            _ = _session.FailAsync(this, request, exception);
            return;
        }

        _session.Slots.Return(this);
    }
}
