using System.Net;
using System.Net.Sockets;
using System.Text;
using MgbaBridge.Gateway.Interfaces.CommandLine;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

public sealed class SilenceLimitTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(5);

    [Fact]
    public async Task Program_ThatNeverAnswers_IsGivenUp()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var given = await Assert.ThrowsAsync<IOException>(() => SendAsync(silent, Short, Short));
        Assert.Contains("does not answer within 0.05 s", given.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Program_ThatAcceptsNoMoreConnections_IsGivenUp()
    {
        using var full = new TcpListener(IPAddress.Loopback, 0);
        full.Start(backlog: 0); // the system keeps one connection, which is that of the request
        var given = await Assert.ThrowsAsync<IOException>(() => SendAsync(full, Short, Short));
        Assert.Contains("does not answer within 0.05 s", given.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Gateway_ThatAnswersMeanwhile_IsWaitedFor()
    {
        using var slow = new TcpListener(IPAddress.Loopback, 0);
        slow.Start();
        var sent = SendAsync(slow, Short, Long);
        var connections = new List<Socket>(); // any of them may become the one of the request
        var (answered, first) = (0, (Socket?)null);
        while (answered < 3 || first is null)
        {
            connections.Add(await slow.AcceptSocketAsync(TestContext.Current.CancellationToken));
            if (await ReadAsync(connections[^1]) == "/v2/game")
            {
                first = connections[^1];
            }
            else
            {
                await RespondAsync(connections[^1]);
                answered++;
            }
        }

        Assert.False(sent.IsCompleted);
        await RespondAsync(first);

        // it may be asked once more before the response arrives
        slow.Stop();
        Assert.Equal(HttpStatusCode.NoContent, await sent);
        connections.ForEach(socket => socket.Dispose());
    }

    private static async Task<HttpStatusCode> SendAsync(TcpListener server, TimeSpan silence, TimeSpan answer)
    {
        var url = new Uri($"http://127.0.0.1:{((IPEndPoint)server.LocalEndpoint).Port}/v2/game");
        using var http = new HttpMessageInvoker(new SocketsHttpHandler { UseProxy = false });
        using var request = new HttpRequestMessage(HttpMethod.Get, url);
        using var response = await new SilenceLimit(http, url, silence, answer).WaitAsync(stopping => http.SendAsync(request, stopping), TestContext.Current.CancellationToken);
        return response.StatusCode;
    }

    /// <summary>Reads a request, and returns its path.</summary>
    private static async Task<string> ReadAsync(Socket socket)
    {
        var bytes = new byte[4_096];
        var length = await socket.ReceiveAsync(bytes, TestContext.Current.CancellationToken);
        return Encoding.ASCII.GetString(bytes, 0, length).Split(' ')[1];
    }

    private static async Task RespondAsync(Socket socket)
    {
        await socket.SendAsync("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"u8.ToArray(), TestContext.Current.CancellationToken);
        socket.Shutdown(SocketShutdown.Send);
    }
}
