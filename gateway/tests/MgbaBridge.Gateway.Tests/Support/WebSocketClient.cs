using System.Net.WebSockets;
using System.Text;
using System.Text.Json;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A real WebSocket client of <c>/v2/ws</c>.</summary>
internal sealed class WebSocketClient : IDisposable
{
    private readonly byte[] _buffer = new byte[4 * 1024 * 1024];
    private long _last;

    private WebSocketClient(ClientWebSocket socket) => Socket = socket;

    public ClientWebSocket Socket { get; }

    /// <summary>What the gateway said first.</summary>
    public JsonElement Hello { get; private set; }

    public static async Task<WebSocketClient> OpenAsync(GatewayHost gateway, string path = "/v2/ws", params (string Name, string Value)[] headers)
    {
        var socket = new ClientWebSocket();
        foreach (var (name, value) in headers)
        {
            socket.Options.SetRequestHeader(name, value);
        }

        var address = new UriBuilder(new Uri(gateway.Client.BaseAddress!, path)) { Scheme = "ws" }.Uri;
        await socket.ConnectAsync(address, TestContext.Current.CancellationToken);
        var client = new WebSocketClient(socket);
        client.Hello = (await client.NextAsync()).GetProperty("hello");
        return client;
    }

    public Task SendAsync(string text) =>
        Socket.SendAsync(Encoding.UTF8.GetBytes(text), WebSocketMessageType.Text, true, TestContext.Current.CancellationToken);

    public Task SendAsync(byte[] bytes) => Socket.SendAsync(bytes, WebSocketMessageType.Binary, true, TestContext.Current.CancellationToken);

    /// <summary>The next text message.</summary>
    public async Task<JsonElement> NextAsync()
    {
        var (type, bytes) = await ReceiveAsync();
        Assert.Equal(WebSocketMessageType.Text, type);
        return JsonDocument.Parse(bytes).RootElement;
    }

    /// <summary>The next binary message.</summary>
    public async Task<byte[]> BytesAsync()
    {
        var (type, bytes) = await ReceiveAsync();
        Assert.Equal(WebSocketMessageType.Binary, type);
        return bytes;
    }

    public async Task<(WebSocketMessageType Type, byte[] Bytes)> ReceiveAsync()
    {
        var length = 0;
        while (true)
        {
            var result = await Socket.ReceiveAsync(_buffer.AsMemory(length), TestContext.Current.CancellationToken).AsTask().WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken);
            length += result.Count;
            if (result.EndOfMessage)
            {
                return (result.MessageType, _buffer[..length]);
            }
        }
    }

    /// <summary>Sends a request and waits for its response, skipping events.</summary>
    public async Task<JsonElement> RequestAsync(string operation, string body = "{}", bool binary = false)
    {
        var id = ++_last;
        await SendAsync($$"""{"id":{{id}},"op":"{{operation}}","body":{{body}}{{(binary ? ",\"binary\":true" : "")}}}""");
        return await AnswerAsync(id);
    }

    /// <summary>As above; the answer has to be a good one.</summary>
    public async Task<JsonElement> DoAsync(string operation, string body = "{}", bool binary = false)
    {
        var answer = await RequestAsync(operation, body, binary);
        Assert.True(answer.TryGetProperty("body", out var good), answer.GetRawText());
        return good;
    }

    public async Task<JsonElement> AnswerAsync(long id)
    {
        while (true)
        {
            var message = await NextAsync();
            if (message.TryGetProperty("id", out var known) && known.ValueKind == JsonValueKind.Number && known.GetInt64() == id)
            {
                return message;
            }
        }
    }

    /// <summary>The next event of this kind.</summary>
    public async Task<JsonElement> EventAsync(string kind)
    {
        while (true)
        {
            var message = await NextAsync();
            if (message.TryGetProperty("event", out var found) && found.GetString() == kind)
            {
                return message;
            }
        }
    }

    /// <summary>Reads on until the gateway closes, and says how.</summary>
    public async Task<(WebSocketCloseStatus? Status, string? Why)> ClosedAsync()
    {
        while ((await ReceiveAsync()).Type != WebSocketMessageType.Close)
        {
        }

        return (Socket.CloseStatus, Socket.CloseStatusDescription);
    }

    public Task CloseAsync() => Socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, TestContext.Current.CancellationToken);

    public void Dispose() => Socket.Dispose();
}
