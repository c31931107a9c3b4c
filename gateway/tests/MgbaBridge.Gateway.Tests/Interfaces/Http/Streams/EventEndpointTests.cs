using System.Net;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http.Streams;

public sealed class EventEndpointTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task Events_OfEveryTopic_AreToldInTheirFrames()
    {
        await using var play = await Play.StartAsync();
        using var events = await EventReader.OpenAsync(play.Client, "memory:wram:0x1000/4,keys,game,lease");
        await events.NextAsync("keys");
        var written = await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u16", """{"value":513}""");
        var memory = (await events.NextAsync("memory")).Data;
        Assert.Equal([1, 2, 0, 0], memory.GetProperty("bytes").GetBytesFromBase64());
        Assert.Equal("memory:wram:0x1000/4/1", memory.GetProperty("topic").GetString());
        Assert.InRange(memory.GetProperty("frame").GetInt64() - written.GetProperty("frame").GetInt64(), 0, 1);
        Assert.Equal(written.GetProperty("epoch").GetString(), memory.GetProperty("epoch").GetString());

        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["Up","B"]}""");
        Assert.Equal("""["B","Up"]""", (await events.NextAsync("keys")).Data.GetProperty("keys").GetRawText());
        Assert.Equal("[]", (await events.NextAsync("keys")).Data.GetProperty("keys").GetRawText());
        await play.SendAsync(HttpMethod.Post, "/v2/reset");
        Assert.Equal("game", (await events.NextAsync("game.reset")).Data.GetProperty("topic").GetString());
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "first");
        Assert.Equal("first", (await events.NextAsync("lease")).Data.GetProperty("holder").GetString());
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "first");
        var over = (await events.NextAsync("lease")).Data;
        Assert.False(over.TryGetProperty("holder", out _));
        Assert.Equal("released", over.GetProperty("reason").GetString());
    }

    [Fact]
    public async Task Log_HasWhatTheGamePrints()
    {
        await using var play = await Play.StartAsync();
        using var events = await EventReader.OpenAsync(play.Client, "log");

        // as a game prints (docs/testing.md)
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x04FFF780/u16", """{"value":49374}""");
        foreach (var (index, letter) in "hi\n".Index())
        {
            await play.SendAsync(HttpMethod.Put, $"/v2/memory/0x{0x04FFF600 + index:X8}/u8", $$"""{"value":{{(letter == '\n' ? 0 : (int)letter)}}}""");
        }

        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x04FFF700/u16", """{"value":259}""");

        Assert.Equal("""["GBA Debug: hi"]""", (await events.NextAsync("log")).Data.GetProperty("lines").GetRawText());
    }

    [Fact]
    public async Task Subscribers_InAnyNumber_CostOneWatch()
    {
        await using var play = await Play.StartAsync();
        var readers = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => EventReader.OpenAsync(play.Client, "frame/10,memory:0x02000008/4/10")));
        var received = await Task.WhenAll(readers.Select(reader => reader.NextAsync("frame")));
        Assert.All(received, one => Assert.Equal("frame/10", one.Data.GetProperty("topic").GetString()));
        Assert.Equal(2, play.Gateway.Emulators.First.Events.Watches);
        Array.ForEach(readers, reader => reader.Dispose());
    }

    [Fact]
    public async Task Subscriber_WhoComesBack_GoesOnWhereItWas()
    {
        await using var play = await Play.StartAsync();
        string? last;
        long frame;
        using (var before = await EventReader.OpenAsync(play.Client, "frame/5"))
        {
            var received = await before.NextAsync("frame");
            (last, frame) = (received.Id, received.Data.GetProperty("frame").GetInt64());
        }

        await play.WaitAsync(60);
        using var after = await EventReader.OpenAsync(play.Client, "frame/5", last);
        for (var number = 1; number <= 15; number++)
        {
            Assert.Equal(frame + (5 * number), (await after.NextAsync()).Data.GetProperty("frame").GetInt64());
        }
    }

    [Fact]
    public async Task Subscriber_WhoDoesNotRead_LosesTheOldestAndIsTold()
    {
        await using var play = await Play.StartAsync();
        using var events = await EventReader.OpenAsync(play.Client, "frame");
        await events.NextAsync("frame");
        var feed = play.Gateway.Emulators.First.Events;
        var topic = EventTopic.TryParse("frame", out var frame) ? frame : default;
        using var subscription = feed.Join();
        var before = await FrameAsync();
        Assert.Null((await feed.AddAsync(subscription, [topic], null, TestContext.Current.CancellationToken)).Failure);
        await play.WaitAsync(300);
        var lost = subscription.TakeLost();
        Assert.InRange(lost, 30, await FrameAsync() - before);
        Assert.True(subscription.Waiting.TryRead(out _));
        await events.NextAsync("frame");

        async Task<long> FrameAsync() => (await play.GetAsync($"/v2/memory/{Play.FrameCounter}/u32")).GetProperty("frame").GetInt64();
    }

    [Fact]
    public async Task Events_WhenTheEmulatorGoesAndComesBack_GoOn()
    {
        // none of those that emulators take by themselves: another test's might be quicker to take it again
        var port = Clients.FreePort();
        var emulator = await HeadlessEmulator.StartAsync(port);
        await using var gateway = await GatewayHost.ReadyAsync(port);
        using var events = await EventReader.OpenAsync(gateway.Client, "frame/10,script");
        await events.NextAsync("frame");
        await emulator.DisposeAsync();
        await events.NextAsync("script.lost");
        await using var second = await HeadlessEmulator.StartAsync(port);
        await events.NextAsync("script.connected");
        await events.NextAsync("frame");
    }

    [Theory]
    [InlineData("", "1 to 64 topics")]
    [InlineData("weather", "A topic is")]
    [InlineData("memory:here/4", "A topic is")]
    [InlineData("frame/1/2", "A topic is")]
    [InlineData("frame/-1", "A topic is")]
    [InlineData("game/1", "A topic is")]
    [InlineData("frame/0", "from 1 to 36000")]
    [InlineData("memory:0x02000000/5000", "from 1 to 4096")]
    [InlineData("memory:0x100000000/4", "0x100000000")]
    public async Task Topics_ThatCannotBe_AreRefused(string topics, string expected)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Get, $"/v2/events?topics={topics}", status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Events_WithoutAnEmulator_AreAProblem()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var response = await gateway.Client.GetAsync("/v2/events?topics=frame", TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, response.StatusCode);
    }
}
