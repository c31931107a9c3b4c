using System.Net.WebSockets;
using System.Runtime.CompilerServices;
using MgbaBridge.Gateway.Interfaces.Http;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The sending half of a socket: one message at a time, a text and the bytes that belong to it together. Nothing is queued here: who has
/// something to say waits for its turn, and what it holds meanwhile is counted.</summary>
/// <param name="socket">Where to.</param>
/// <param name="timeout">How long an answer may wait for the client to read.</param>
/// <param name="unread">Counts what waits.</param>
/// <param name="slow">Called when one has waited longer: it has to end the socket, soon or late.</param>
/// <param name="over">Nothing is sent any more.</param>
internal sealed class WebSocketSender(WebSocket socket, TimeSpan timeout, UnreadConnection unread, Action slow, CancellationToken over) : IDisposable
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly WebSocketMessage _draft = new();

    /// <summary>Whether a message is being sent, so that the next one has to wait.</summary>
    public bool IsBusy => _turn.CurrentCount == 0;

    /// <summary>Sends a response. A client that does not read its responses is an error, so that they do not accumulate.</summary>
    /// <param name="state">What <paramref name="write"/> needs.</param>
    /// <param name="size">The bytes that are held until it is sent.</param>
    /// <param name="write">Writes it.</param>
    /// <exception cref="SlowReaderException">It was not read in time.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask AnswerAsync<TState>(TState state, int size, Action<WebSocketMessage, TState> write)
    {
        if (!_turn.Wait(0))
        {
            using var waiting = unread.Wait(size);
            if (!await _turn.WaitAsync(timeout, over))
            {
                throw new SlowReaderException();
            }
        }

        try
        {
            var sending = SendAsync(state, write);
            if (sending.IsCompleted)
            {
                await sending;
            }
            else
            {
                using var waiting = unread.Wait(size);
                await FinishAsync(sending.AsTask());
            }
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Sends an event or a picture: waits as long as the client takes, while newer events and pictures are dropped.</summary>
    public async ValueTask SendEventAsync<TState>(TState state, Action<WebSocketMessage, TState> write, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken);
        try
        {
            await SendAsync(state, write);
        }
        finally
        {
            _turn.Release();
        }
    }

    public void Dispose() => _draft.Dispose();

    // what is sent belongs to the caller, who gives it back: it has to wait until the socket is done with it, also when that is by being ended
    private async Task FinishAsync(Task sending)
    {
        try
        {
            await sending.WaitAsync(timeout);
        }
        catch (TimeoutException)
        {
            slow();
            await sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw new SlowReaderException();
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask SendAsync<TState>(TState state, Action<WebSocketMessage, TState> write)
    {
        _draft.Begin();
        write(_draft, state);
        var bytes = _draft.End();
        await socket.SendAsync(_draft.Text, WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None);
        if (bytes is { } binary)
        {
            await socket.SendAsync(binary, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None);
        }

        _draft.Trim();
    }
}

/// <summary>A client left an answer unread for too long.</summary>
public sealed class SlowReaderException() : Exception("an answer was not read in time");
