using System.Net.WebSockets;
using System.Text;
using System.Text.Json;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>Steps over one WebSocket.</summary>
internal sealed class WebSocketStepper(Uri gateway, WaitMode waitMode) : IStepper
{
    private readonly ClientWebSocket _socket = new();
    private readonly HttpMessageInvoker _invoker = new(new SocketsHttpHandler
    {
        ConnectCallback = (_, _) => ValueTask.FromResult<Stream>(new WireStream(gateway.Port, waitMode)),
    });
    private readonly byte[] _buffer = new byte[65536];
    private long _id;

    public string Name => "WebSocket";

    public WaitMode WaitMode => waitMode;

    public async Task TakeAsync()
    {
        await _socket.ConnectAsync(new UriBuilder(gateway) { Scheme = "ws", Path = "v2/ws" }.Uri, _invoker, CancellationToken.None);
        await SendAsync("lease.take", "{}");
    }

    public async Task<uint> StepAsync()
    {
        var body = await SendAsync("lease.step", """{"frames":1,"items":[{"read":{"location":"0x02000008","type":"u32"}}]}""");
        return body.GetProperty("results")[0].GetProperty("value").GetUInt32();
    }

    public async ValueTask DisposeAsync()
    {
        await SendAsync("lease.release", "{}");
        _socket.Dispose();
        _invoker.Dispose();
    }

    private async Task<JsonElement> SendAsync(string operation, string body)
    {
        var id = ++_id;
        var text = body == "{}" ? $$"""{"id":{{id}},"op":"{{operation}}"}""" : $$"""{"id":{{id}},"op":"{{operation}}","body":{{body}}}""";
        await _socket.SendAsync(Encoding.UTF8.GetBytes(text).AsMemory(), WebSocketMessageType.Text, true, CancellationToken.None);
        while (true)
        {
            var received = await _socket.ReceiveAsync(_buffer.AsMemory(), CancellationToken.None);
            using var document = JsonDocument.Parse(_buffer.AsMemory(0, received.Count));
            if (document.RootElement.TryGetProperty("id", out _))
            {
                return document.RootElement.TryGetProperty("body", out var answer) ? answer.Clone() : throw new MeasurementException($"{operation}: {document.RootElement.GetRawText()}");
            }
        }
    }
}
