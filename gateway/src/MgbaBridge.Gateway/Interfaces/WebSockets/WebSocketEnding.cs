using System.Net.WebSockets;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The end of a socket, which comes once: the close message with its reason, and when the client does not take it, the end of the connection.</summary>
/// <param name="socket">Which one.</param>
/// <param name="timeout">How long the client may take.</param>
/// <param name="abort">Ends the connection below it, whatever still waits there to be sent.</param>
internal sealed class WebSocketEnding(WebSocket socket, TimeSpan timeout, Action abort)
{
    private readonly TaskCompletionSource _received = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _closing = Task.CompletedTask;
    private int _begun;

    /// <summary>Begins it. False when it has begun before.</summary>
    public bool Begin(WebSocketCloseStatus status, string? why)
    {
        if (Interlocked.Exchange(ref _begun, 1) == 1)
        {
            return false;
        }

        _closing = CloseAsync(status, why);
        return true;
    }

    /// <summary>Nothing more comes from the client. Waits until the close message has left, too.</summary>
    public Task EndAsync()
    {
        _received.TrySetResult();
        return _closing;
    }

    private async Task CloseAsync(WebSocketCloseStatus status, string? why)
    {
        await Task.Yield();
        try
        {
            if (socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
            {
                // behind a message that is not read this waits too
                await socket.CloseOutputAsync(status, why, CancellationToken.None).WaitAsync(timeout);
                await _received.Task.WaitAsync(timeout);
            }
        }
        catch (Exception exception) when (exception is WebSocketException or TimeoutException or ObjectDisposedException or OperationCanceledException)
        {
            socket.Abort();
            abort();
        }
    }
}

/// <summary>The limits of one WebSocket.</summary>
/// <param name="MaxMessage">The longest message in bytes. Beyond, the socket is closed with 1009.</param>
/// <param name="Timeout">How long an answer may stay unread. Beyond, the socket is closed with 1008.</param>
/// <param name="HoldTimeout">For how long nothing may come from a client that holds something. Beyond, the socket is closed with 1008.</param>
internal sealed record WebSocketLimits(int MaxMessage, TimeSpan Timeout, TimeSpan HoldTimeout)
{
    /// <summary>Requests under way. Beyond, nothing more is read from the socket until one is answered.</summary>
    public const int Requests = 64;

    /// <summary>Requests that take frames under way. Beyond, they are refused.</summary>
    public const int LongRunning = 64;

    /// <summary>Sockets of a gateway. Beyond, they are refused with 503.</summary>
    public const int Sockets = 1_024;
}
