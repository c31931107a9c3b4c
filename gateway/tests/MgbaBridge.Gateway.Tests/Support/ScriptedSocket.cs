using System.Collections.Concurrent;
using System.Net.WebSockets;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A WebSocket whose client said all in advance, and whose sends end when they are let.</summary>
internal sealed class ScriptedSocket(params IEnumerable<byte[]> texts) : WebSocket
{
    private readonly IEnumerator<byte[]> _texts = texts.GetEnumerator();
    private bool _said;

    /// <summary>The texts that were sent to the client.</summary>
    public ConcurrentQueue<string> Sent { get; } = [];

    /// <summary>Takes each text before it is sent; may throw.</summary>
    public Action<string> Sending { get; init; } = static _ => { };

    /// <summary>What sends wait for.</summary>
    public Task Gate { get; set; } = Task.CompletedTask;

    public override WebSocketCloseStatus? CloseStatus => null;

    public override string? CloseStatusDescription => null;

    public override WebSocketState State => _said ? WebSocketState.CloseReceived : WebSocketState.Open;

    public override string? SubProtocol => null;

    public override void Abort()
    {
    }

    public override Task CloseAsync(WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken) => Task.CompletedTask;

    public override Task CloseOutputAsync(WebSocketCloseStatus closeStatus, string? statusDescription, CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Dispose() => _texts.Dispose();

    public override ValueTask<ValueWebSocketReceiveResult> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (!_texts.MoveNext())
        {
            _said = true;
            return ValueTask.FromResult(new ValueWebSocketReceiveResult(0, WebSocketMessageType.Close, true));
        }

        _texts.Current.CopyTo(buffer);
        return ValueTask.FromResult(new ValueWebSocketReceiveResult(_texts.Current.Length, WebSocketMessageType.Text, true));
    }

    public override Task<WebSocketReceiveResult> ReceiveAsync(ArraySegment<byte> buffer, CancellationToken cancellationToken) => throw new NotSupportedException();

    public override async ValueTask SendAsync(ReadOnlyMemory<byte> buffer, WebSocketMessageType messageType, bool endOfMessage, CancellationToken cancellationToken)
    {
        await Gate;
        Sending(System.Text.Encoding.UTF8.GetString(buffer.Span));
        Sent.Enqueue(System.Text.Encoding.UTF8.GetString(buffer.Span));
    }

    public override Task SendAsync(ArraySegment<byte> buffer, WebSocketMessageType messageType, bool endOfMessage, CancellationToken cancellationToken) => throw new NotSupportedException();
}
