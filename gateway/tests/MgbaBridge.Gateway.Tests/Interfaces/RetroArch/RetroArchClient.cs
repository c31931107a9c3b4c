using System.Net;
using System.Net.Sockets;
using System.Text;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.RetroArch;

/// <summary>A client of RetroArch's Network Control Interface.</summary>
internal sealed class RetroArchClient : IDisposable
{
    private static readonly TimeSpan Timeout = TimeSpan.FromMinutes(2);

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

    private RetroArchClient(int port) => _socket.Connect(IPAddress.Loopback, port);

    /// <summary>Five ports of which the first is free now.</summary>
    public static (string Key, string Value)[] Settings(string role = "owner") =>
        [("Doors:RetroArch:Enabled", "true"), ("Doors:RetroArch:Port", $"{Clients.FreePort()}"), ("Doors:RetroArch:Role", role)];

    /// <summary>Connects as soon as the server answers, that of the emulator with an index.</summary>
    public static async Task<RetroArchClient> ConnectAsync((string Key, string Value)[] settings, int index = 0)
    {
        var client = new RetroArchClient(int.Parse(settings[1].Value) + index);
        await Eventually.IsAsync(async () =>
        {
            try
            {
                client.Send("VERSION");
                return await client.ReceiveAsync(TimeSpan.FromSeconds(1)) == "1.14.0\n";
            }
            catch (SocketException)
            {
                return false; // it does not listen yet
            }
        });
        // behind the answers to earlier attempts
        client.Send("GET_CONFIG_PARAM marker");
        string? answer;
        do
        {
            answer = await client.ReceiveAsync();
        }
        while (answer == "1.14.0\n");

        return answer is not null ? client : throw new TimeoutException("The marker was not answered.");
    }

    /// <summary>Sends a datagram.</summary>
    public void Send(string text) => Send(Encoding.UTF8.GetBytes(text));

    /// <summary>Sends a datagram.</summary>
    public void Send(byte[] datagram) => _socket.Send(datagram);

    /// <summary>Sends a datagram and returns the answer.</summary>
    public async Task<string> SendAsync(string text)
    {
        Send(text);
        return await ReceiveAsync() ?? throw new TimeoutException($"{text} was not answered.");
    }

    /// <summary>What is answered to <c>VERSION</c> behind a datagram: its own answers, which come before.</summary>
    public async Task<string[]> AnswersAsync(string text)
    {
        Send(text);
        Send("VERSION");
        var answers = new List<string>();
        for (string? next; (next = await ReceiveAsync()) != "1.14.0\n";)
        {
            answers.Add(next ?? throw new TimeoutException($"VERSION was not answered after {text}."));
        }

        return [.. answers];
    }

    /// <summary>The next answer; null when none comes.</summary>
    public async Task<string?> ReceiveAsync(TimeSpan? timeout = null)
    {
        using var late = new CancellationTokenSource(timeout ?? Timeout);
        var buffer = new byte[65_536];
        try
        {
            return Encoding.UTF8.GetString(buffer, 0, await _socket.ReceiveAsync(buffer, SocketFlags.None, late.Token));
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    public void Dispose() => _socket.Dispose();
}
