using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.BizHawk;

/// <summary>A client as Archipelago's: it tries five ports in turn, and sends a line for each answer.</summary>
internal sealed class BizHawkClient : IDisposable
{
    private readonly TcpClient _connection;
    private readonly StreamReader _reader;

    private BizHawkClient(TcpClient connection) => (_connection, _reader) = (connection, new StreamReader(connection.GetStream()));

    /// <summary>Five ports of which the first is free now.</summary>
    public static (string Key, string Value)[] Settings(string role = "owner") =>
        [("Doors:BizHawk:Enabled", "true"), ("Doors:BizHawk:Port", $"{Clients.FreePort()}"), ("Doors:BizHawk:Role", role)];

    /// <summary>Connects as soon as one of the ports accepts.</summary>
    public static async Task<BizHawkClient> ConnectAsync((string Key, string Value)[] settings)
    {
        BizHawkClient? client = null;
        await Eventually.IsAsync(async () => (client = await TryConnectAsync(settings)) is not null);
        return client!;
    }

    /// <summary>Connects; null when all ports refuse.</summary>
    public static async Task<BizHawkClient?> TryConnectAsync((string Key, string Value)[] settings)
    {
        var first = int.Parse(settings[1].Value);
        for (var port = first; port < first + 5; port++)
        {
            var connection = new TcpClient { NoDelay = true };
            try
            {
                await connection.ConnectAsync(IPAddress.Loopback, port, TestContext.Current.CancellationToken);
                var client = new BizHawkClient(connection);
                if (await client.AskAsync("VERSION") == "1")
                {
                    return client;
                }
            }
            catch (SocketException)
            {
                // refused
            }

            connection.Dispose();
        }

        return null;
    }

    /// <summary>Sends a line. Returns the answer, or null when the connection ended.</summary>
    public async Task<string?> AskAsync(string line)
    {
        try
        {
            await _connection.GetStream().WriteAsync(Encoding.UTF8.GetBytes(line + "\n"), TestContext.Current.CancellationToken);
            return await _reader.ReadLineAsync(TestContext.Current.CancellationToken);
        }
        catch (IOException)
        {
            return null; // with what it had not read
        }
    }

    /// <summary>Sends requests and reads their answers.</summary>
    public async Task<JsonElement[]> SendAsync(string requests) => [.. JsonDocument.Parse((await AskAsync(requests))!).RootElement.EnumerateArray()];

    public void Dispose() => _connection.Dispose();
}
