using MgbaBridge.Gateway.Interfaces.Http;
using System.Net.WebSockets;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebSockets;

public sealed class WebSocketEventsTests
{
    [Fact]
    public async Task Subscribers_OfBothKinds_ShareOneWatch()
    {
        await using var play = await Play.StartAsync();
        using var stream = await EventReader.OpenAsync(play.Client, "frame/10");
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var subscribed = await socket.DoAsync("subscribe", """{"topics":["frame/10","keys"]}""");
        Assert.Equal("""["frame/10","keys/1"]""", subscribed.GetProperty("topics").GetRawText());
        var received = await socket.EventAsync("frame");
        Assert.Equal("frame/10", received.GetProperty("body").GetProperty("topic").GetString());
        Assert.Equal(2, play.Gateway.Emulators.First.Events.Watches);
        await socket.SendAsync("""{"id":100,"op":"keys.set","body":{"keys":["A"]}}"""); // the event may come before the response
        var keys = "[]";
        while (keys == "[]")
        {
            keys = (await socket.EventAsync("keys")).GetProperty("body").GetProperty("keys").GetRawText();
        }

        Assert.Equal("""["A"]""", keys);
        Assert.Equal("[]", (await socket.DoAsync("unsubscribe", """{"topics":["frame/10","keys"]}""")).GetProperty("topics").GetRawText());
        await stream.NextAsync("frame");
    }

    [Fact]
    public async Task Subscriber_WhoComesBack_GoesOnWhereItWas()
    {
        await using var play = await Play.StartAsync();
        string last;
        long frame;
        using (var before = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await before.DoAsync("subscribe", """{"topics":["frame/5"]}""");
            var received = await before.EventAsync("frame");
            (last, frame) = (received.GetProperty("eventId").GetString()!, received.GetProperty("body").GetProperty("frame").GetInt64());
        }

        await play.WaitAsync(60);
        using var after = await WebSocketClient.OpenAsync(play.Gateway);
        await after.DoAsync("subscribe", $$"""{"topics":["frame/5"],"after":"{{last}}"}""");
        for (var number = 1; number <= 15; number++)
        {
            Assert.Equal(frame + (5 * number), (await after.EventAsync("frame")).GetProperty("body").GetProperty("frame").GetInt64());
        }
    }

    [Fact]
    public async Task Sound_IsABinaryMessage_AndIsNotSentAgainToAClientThatResumes()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("subscribe", """{"topics":["sound"]}""");
        var next = 0L;
        var last = "";
        for (var count = 0; count < 30; count++)
        {
            var received = await socket.EventAsync("sound");
            var samples = await socket.BytesAsync();
            var body = received.GetProperty("body");
            Assert.False(body.TryGetProperty("bytes", out _));
            Assert.Equal(samples.Length, received.GetProperty("binary").GetInt32());
            Assert.InRange(samples.Length / 4, 700, 900);
            Assert.True(count == 0 || body.GetProperty("sample").GetInt64() == next, "a gap in the sound");
            next = body.GetProperty("sample").GetInt64() + (samples.Length / 4);
            last = received.GetProperty("eventId").GetString()!;
        }

        socket.Dispose();
        await play.WaitAsync(30);
        using var after = await WebSocketClient.OpenAsync(play.Gateway);
        await after.DoAsync("subscribe", $$"""{"topics":["sound"],"after":"{{last}}"}""");
        var resumed = (await after.EventAsync("sound")).GetProperty("body").GetProperty("sample").GetInt64();
        Assert.True(resumed - next > 20 * 800, $"{resumed} follows {next}");
    }

    [Fact]
    public async Task Client_WhoDoesNotReadItsAnswers_IsClosedWithTheReasonAndDisturbsNobody()
    {
        await using var play = await Play.StartAsync(services => services.Registered<HttpOptions>().WebSocketWriteTimeout = TimeSpan.FromSeconds(1), ("Emulators:0:Id", "slow"));
        using var other = await WebSocketClient.OpenAsync(play.Gateway);
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        for (var id = 0; id < 64; id++)
        {
            await socket.SendAsync($$"""{"id":{{id}},"op":"state.get","binary":true}""");
        }

        // 25 MB that nobody reads: the gateway gives up while others are served
        while (!(await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken)).Contains("""mgba_bridge_socket_ended_total{mgba_emulator="slow",mgba_status="PolicyViolation"} 1""", StringComparison.Ordinal))
        {
            await other.DoAsync("ping");
        }

        await other.DoAsync("ping");
        try
        {
            Assert.Equal((WebSocketCloseStatus.PolicyViolation, "answers were not read for 1 s"), await socket.ClosedAsync());
        }
        catch (WebSocketException)
        {
            // on a machine so busy that the reading comes late, the connection has been broken off meanwhile
        }

        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    [Fact]
    public async Task Client_WhoDoesNotReadItsEvents_LosesTheOldestAndIsTold()
    {
        await using var play = await Play.StartAsync(services => services.Registered<HttpOptions>().WebSocketWriteTimeout = TimeSpan.FromMinutes(10));
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var topics = string.Join(',', Enumerable.Range(0, 9).Select(offset => $"\"memory:0x0200000{offset}/4096\""));
        await socket.DoAsync("subscribe", $$"""{"topics":[{{topics}},"frame"]}""");

        // 50 KB a frame that nobody reads: the sockets between us take some megabytes of it, and then events are lost
        await play.WaitAsync(420);
        var lost = await socket.EventAsync("lost");
        Assert.True(lost.GetProperty("body").GetProperty("lost").GetInt64() > 0);
        await socket.EventAsync("frame");
        await socket.DoAsync("ping");
    }
}
