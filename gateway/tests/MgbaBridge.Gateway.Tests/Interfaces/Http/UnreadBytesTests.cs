using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.WebSockets;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

/// <summary>What callers do not read is bounded, whatever they open.</summary>
public sealed class UnreadBytesTests
{
    private const long MiB = 1_048_576;

    private static readonly IPEndPoint Local = new(IPAddress.Loopback, 1);
    private static readonly IPEndPoint Other = new(IPAddress.Parse("192.0.2.7"), 1);

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Bytes_BeyondTheLimitOfACaller_CutItsConnectionThatWaitsLongest()
    {
        var unread = Limits(100, 1_000);
        var (first, second) = (new TaskCompletionSource(), new TaskCompletionSource());
        var older = unread.Connect(Local, first.SetResult);
        var newer = unread.Connect(Local, second.SetResult);
        using var held = older.Wait(60);
        using var more = newer.Wait(40);
        Assert.Equal(100, unread.Total);
        using var elsewhere = unread.Connect(Other, () => Assert.Fail("another caller was cut")).Wait(100);
        Assert.False(first.Task.IsCompleted);

        using var beyond = newer.Wait(1);
        await first.Task.WaitAsync(Cancelled);
        Assert.Equal(141, unread.Total);
        Assert.False(second.Task.IsCompleted);
    }

    [Fact]
    public async Task Bytes_BeyondTheLimitOfAll_CutAConnectionOfTheCallerWithTheMost()
    {
        var unread = Limits(100, 150);
        var cut = new TaskCompletionSource();
        using var most = unread.Connect(Other, cut.SetResult).Wait(90);
        using var less = unread.Connect(Local, () => Assert.Fail("the caller with less was cut")).Wait(61);
        await cut.Task.WaitAsync(Cancelled);
        Assert.Equal(61, unread.Total);
    }

    [Fact]
    public async Task Output_ThatIsNotRead_IsCountedUntilItIs()
    {
        var unread = Limits(MiB, MiB);
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 1_000, resumeWriterThreshold: 500));
        var output = new UnreadOutput(pipe.Writer, unread.Connect(Local, () => { }));
        var read = await output.WriteAsync(new byte[900], Cancelled);
        Assert.False(read.IsCompleted);
        Assert.Equal(0, unread.Total);
        var waits = output.WriteAsync(new byte[300], Cancelled).AsTask();
        Assert.Equal(300, unread.Total);
        var result = await pipe.Reader.ReadAsync(Cancelled);
        pipe.Reader.AdvanceTo(result.Buffer.End);
        await waits;
        Assert.Equal(0, unread.Total);
    }

    [Fact]
    public async Task Socket_ThatRequestsStatesAndDoesNotRead_IsCutAtTheLimit()
    {
        const int Limit = 4;
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(
            emulator.Port,
            services => (services.Registered<HttpOptions>().MaxUnread, services.Registered<HttpOptions>().WebSocketWriteTimeout) = (4 * Limit * MiB, TimeSpan.FromMinutes(10)));
        using var greedy = await OpenAsync(gateway);
        for (var request = 1; request <= WebSocketLimits.Requests; request++)
        {
            await greedy.SendAsync(Encoding.UTF8.GetBytes($$"""{"id":{{request}},"op":"state.get"}"""), WebSocketMessageType.Text, true, Cancelled);
        }

        // the gateway has ended it, although its time to read is not over
        await Eventually.IsAsync(async () => ScrapedPage.Parse(await gateway.Client.GetStringAsync("/metrics", Cancelled)).Sum("mgba_bridge_socket_ended_total") > 0);
        await Eventually.Is(() => gateway.Services.GetRequiredService<UnreadBytes>().Total == 0);

        // and a client that reads is served
        using var reader = await WebSocketClient.OpenAsync(gateway);
        await reader.DoAsync("state.get");
    }

    private static UnreadBytes Limits(long perCaller, long max) => new(perCaller, max, () => { }, NullLogger<UnreadBytes>.Instance);

    // with a small window, so that the kernel takes little
    private static async Task<WebSocket> OpenAsync(GatewayHost gateway)
    {
        var address = gateway.Client.BaseAddress!;
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4_096 };
        await socket.ConnectAsync(address.Host, address.Port, Cancelled);
        var stream = new NetworkStream(socket, ownsSocket: true);
        await stream.WriteAsync(
            "GET /v2/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"u8.ToArray(),
            Cancelled);
        Assert.NotEqual(0, await stream.ReadAsync(new byte[4_096], Cancelled));
        return WebSocket.CreateFromStream(stream, new WebSocketCreationOptions());
    }
}
