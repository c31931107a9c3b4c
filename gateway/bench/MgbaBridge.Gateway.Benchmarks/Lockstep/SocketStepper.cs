using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Benchmarks.Wire;

namespace MgbaBridge.Gateway.Benchmarks.Lockstep;

/// <summary>Over one WebSocket.</summary>
internal sealed class SocketStepper(Uri gateway, Waiting waiting) : IStepper
{
    private readonly ClientWebSocket _socket = new();
    private readonly HttpMessageInvoker _dialer = new(new SocketsHttpHandler
    {
        ConnectCallback = (_, _) => ValueTask.FromResult<Stream>(new WireStream(gateway.Port, waiting)),
    });
    private readonly byte[] _buffer = new byte[65536];
    private long _id;

    public string Name => "WebSocket";

    public Waiting Waiting => waiting;

    public async Task TakeAsync()
    {
        await _socket.ConnectAsync(new UriBuilder(gateway) { Scheme = "ws", Path = "v2/ws" }.Uri, _dialer, CancellationToken.None);
        await AskAsync("lease", "{}");
    }

    public async Task<uint> StepAsync()
    {
        var body = await AskAsync("lease.step", """{"frames":1,"items":[{"read":{"location":"0x02000008","type":"u32"}}]}""");
        return body.GetProperty("results")[0].GetProperty("value").GetUInt32();
    }

    public async ValueTask DisposeAsync()
    {
        await AskAsync("lease.release", "{}");
        _socket.Dispose();
        _dialer.Dispose();
    }

    private async Task<JsonElement> AskAsync(string operation, string body)
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
                return document.RootElement.TryGetProperty("body", out var answer) ? answer.Clone() : throw new WireException($"{operation}: {document.RootElement.GetRawText()}");
            }
        }
    }
}
