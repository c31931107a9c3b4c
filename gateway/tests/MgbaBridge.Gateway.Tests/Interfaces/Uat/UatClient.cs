using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Uat;

/// <summary>A tracker: it connects to one of two ports and takes packets.</summary>
internal sealed class UatClient : IDisposable
{
    private readonly byte[] _buffer = new byte[4 * 1024 * 1024];

    private UatClient(ClientWebSocket socket) => Socket = socket;

    public ClientWebSocket Socket { get; }

    /// <summary>A port that is free now.</summary>
    public static (string Key, string Value)[] Settings() => [("Doors:Uat:Enabled", "true"), ("Doors:Uat:Port", $"{Clients.FreePort()}")];

    /// <summary>Connects as soon as the server listens.</summary>
    public static async Task<UatClient> ConnectAsync((string Key, string Value)[] settings, int? fallback = null)
    {
        UatClient? client = null;
        await Eventually.IsAsync(async () => (client = await TryConnectAsync(fallback is { } port ? $"{port}" : settings[1].Value)) is not null);
        return client!;
    }

    public static async Task<UatClient?> TryConnectAsync(string port, string? origin = null)
    {
        var socket = new ClientWebSocket();
        if (origin is not null)
        {
            socket.Options.SetRequestHeader("Origin", origin);
        }

        try
        {
            await socket.ConnectAsync(new Uri($"ws://localhost:{port}"), TestContext.Current.CancellationToken);
            return new UatClient(socket);
        }
        catch (WebSocketException)
        {
            socket.Dispose();
            return null;
        }
    }

    public Task SendAsync(string packet) => Socket.SendAsync(Encoding.UTF8.GetBytes(packet), WebSocketMessageType.Text, true, TestContext.Current.CancellationToken);

    /// <summary>The next packet; null when the server has closed the connection.</summary>
    public async Task<JsonElement[]?> NextAsync()
    {
        var length = 0;
        while (true)
        {
            var received = await Socket.ReceiveAsync(_buffer.AsMemory(length), TestContext.Current.CancellationToken).AsTask().WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken);
            length += received.Count;
            if (received.MessageType == WebSocketMessageType.Close)
            {
                return null;
            }

            if (received.EndOfMessage)
            {
                using var packet = JsonDocument.Parse(_buffer.AsMemory(0, length));
                return [.. packet.RootElement.Clone().EnumerateArray()];
            }
        }
    }

    /// <summary>The next packet that has such a command.</summary>
    public async Task<JsonElement[]> NextAsync(Func<JsonElement, bool> has)
    {
        while (await NextAsync() is { } packet)
        {
            if (packet.Any(has))
            {
                return packet;
            }
        }

        throw new InvalidOperationException("The server has closed the connection.");
    }

    /// <summary>The next packet that has this command.</summary>
    public Task<JsonElement[]> NextAsync(string command) => NextAsync(one => one.GetProperty("cmd").GetString() == command);

    /// <summary>The next packet that has a variable.</summary>
    public Task<JsonElement[]> VariableAsync(string name) => NextAsync(one => one.TryGetProperty("name", out var named) && named.GetString() == name && one.TryGetProperty("value", out _));

    public void Dispose() => Socket.Dispose();
}
