using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Interfaces.WebSockets;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebSockets;

/// <summary>Clients that misbehave, and emulators that are stopped.</summary>
public sealed class WebSocketFaultTests
{
    private static readonly IServiceProvider Services =
        new ServiceCollection().AddLogging().AddSingleton(new WebSocketHandlers(OperationCatalog.All)).BuildServiceProvider();

    private static UnreadConnection Unread => new UnreadBytes(long.MaxValue, long.MaxValue, () => { }, NullLogger<UnreadBytes>.Instance).Connect(null, () => { });

    [Fact]
    public async Task Requests_WhoseBytesNeverFollow_AreRefusedHoweverManyThereAre()
    {
        const int Count = 100_000;
        await using var client = Clients.To(Clients.FreePort());
        Holder.TryCreate("ws", out var holder);
        using var socket = new ScriptedSocket(Enumerable.Repeat("""{"id":1,"op":"state.load","binary":true}"""u8.ToArray(), Count));
        using var session = new WebSocketSession(socket, client, holder!, new Caller(Role.Owner), null, new WebSocketLimits(65_536, TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(10)), "trace", () => { }, Unread, Services);
        await session.RunAsync(TestContext.Current.CancellationToken);

        // the hello message, and one refusal for each but the last, behind which the client closed
        Assert.Equal(Count, socket.Sent.Count);
        Assert.Equal(Count - 1, socket.Sent.Count(text => text.Contains("The bytes are missing", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Answer_ThatIsNotReadInTime_BelongsToItsSenderUntilTheSocketIsDoneWithIt()
    {
        var gate = new TaskCompletionSource();
        var slow = new TaskCompletionSource();
        using var socket = new ScriptedSocket { Gate = gate.Task };
        using var sender = new WebSocketSender(socket, TimeSpan.FromMilliseconds(1), Unread, slow.SetResult, TestContext.Current.CancellationToken);
        var answer = sender.AnswerAsync(Encoding.UTF8.GetBytes("mine"), 4, static (draft, bytes) => draft.Add(bytes)).AsTask();
        await slow.Task;
        Assert.False(answer.IsCompleted);
        gate.SetResult();
        await Assert.ThrowsAsync<SlowReaderException>(() => answer);
        Assert.Equal("mine", socket.Sent.Last());
    }

    [Fact]
    public async Task Keys_OfASocketWhosePicturesCannotBeSent_AreReleased()
    {
        await using var play = await Play.StartAsync();
        using var failed = new ManualResetEventSlim();
        Holder.TryCreate("ws", out var holder);
        using var socket = new ScriptedSocket(Texts(failed))
        {
            Sending = text =>
            {
                if (text.Contains("\"event\":\"screen\"", StringComparison.Ordinal))
                {
                    failed.Set();
                    throw new InvalidOperationException("a defect");
                }
            },
        };
        var limits = new WebSocketLimits(65_536, TimeSpan.FromMinutes(10), TimeSpan.FromMinutes(10));
        using var session = new WebSocketSession(socket, play.Gateway.Emulators.First, holder!, new Caller(Role.Owner), null, limits, "trace", () => { }, Unread, play.Gateway.Services);
        await session.RunAsync(TestContext.Current.CancellationToken);
        Assert.Contains(socket.Sent, text => text.Contains("a defect", StringComparison.Ordinal));
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    private static IEnumerable<byte[]> Texts(ManualResetEventSlim failed)
    {
        yield return """{"id":1,"op":"keys.set","body":{"keys":["A"]}}"""u8.ToArray();
        yield return """{"id":2,"op":"screen.stream","body":{"fps":60}}"""u8.ToArray();
        failed.Wait(Eventually.TimeLimit, TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task Keys_OfASocketThatClosedWhileTheEmulatorWasSilent_AreReleasedAfterwards()
    {
        await using var play = await Play.StartAsync();
        using (var socket = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await socket.DoAsync("keys.set", """{"keys":["A","Up"]}""");
            await play.StopEmulatorAsync(TimeSpan.FromSeconds(1));
            socket.Socket.Abort();
        }

        // the first attempt has failed
        await Eventually.IsAsync(async () => ScrapedPage.Parse(await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken))
            .Sum("mgba_client_operation_duration_seconds_count", "command=owner.release") > 0);
        play.ContinueEmulator();
        await Eventually.IsAsync(async () =>
        {
            using var keys = await play.RawAsync(HttpMethod.Get, "/v2/keys");
            return (await keys.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).Contains("\"mask\":0,", StringComparison.Ordinal);
        });
    }
}
