using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http.Streams;

public sealed class PictureStreamTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const string Screenshots = "mgba_client_operation_duration_seconds_count";

    [Fact]
    public async Task Viewers_ByTheHundred_CostTheScreenshotsOfOne()
    {
        const int Viewers = 200, Pictures = 3, Fps = 10;
        await using var play = await Play.StartAsync(("Emulators:0:Id", "watched"));
        var began = TimeProvider.System.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, Viewers).Select(async _ =>
        {
            using var reader = await PictureReader.OpenAsync(play.Client, $"{Fps}");
            var before = 0L;
            for (var count = 0; count < Pictures; count++)
            {
                var (frame, png) = await reader.NextAsync();
                Assert.True(frame > before, $"frame {frame} after {before}");
                Assert.Equal(0x89, png[0]);
                before = frame;
            }
        }));
        var taken = await TakenAsync(play, "watched");
        var elapsed = TimeProvider.System.GetElapsedTime(began);
        Assert.InRange(taken, Pictures, (elapsed.TotalSeconds * Fps) + 2);
    }

    [Fact]
    public async Task Picture_OfAStream_IsThatOfItsFrame()
    {
        await using var play = await Play.StartAsync();
        using var reader = await PictureReader.OpenAsync(play.Client, "60");
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("lease.take", """{"limitMs":10000}""");
        for (var step = 0; step < 3; step++)
        {
            var frame = (await socket.DoAsync("lease.step", """{"frames":1}""")).GetProperty("frame").GetInt64();
            var shown = await reader.NextAsync();
            while (shown.Frame < frame)
            {
                shown = await reader.NextAsync();
            }

            await socket.RequestAsync("screen.get", binary: true);
            Assert.Equal(frame, shown.Frame);
            Assert.Equal(await socket.BytesAsync(), shown.Png);
        }
    }

    [Fact]
    public async Task Game_ThatStandsStill_IsShownOnceAndCostsNoMore()
    {
        await using var play = await Play.StartAsync(("Emulators:0:Id", "still"));
        using var agent = await WebSocketClient.OpenAsync(play.Gateway);
        var frame = (await agent.DoAsync("lease.take", """{"limitMs":10000}""")).GetProperty("frame").GetInt64();
        using var viewer = await WebSocketClient.OpenAsync(play.Gateway);
        await viewer.DoAsync("screen.stream", """{"fps":60}""");
        Assert.Equal(frame, await ShownAsync(viewer));
        var looks = await TakenAsync(play, "still", "status");
        while (await TakenAsync(play, "still", "status") < looks + 20)
        {
            await agent.DoAsync("lease.step", """{"frames":0}""");
        }

        // the second one found that nothing had changed
        Assert.InRange(await TakenAsync(play, "still"), 1, 2);
        await agent.DoAsync("lease.step", """{"frames":5}""");
        long shown;
        do
        {
            shown = await ShownAsync(viewer); // also of frames within the step
        }
        while (shown < frame + 5);

        Assert.Equal(frame + 5, shown);
        Assert.Equal(0, (await viewer.DoAsync("screen.stop")).GetProperty("fps").GetInt32());
        var problem = (await viewer.RequestAsync("screen.stream", """{"fps":1000}""")).GetProperty("problem");
        Assert.Contains("0.1 to 60", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(10, (await viewer.DoAsync("screen.stream")).GetProperty("fps").GetInt32());
    }

    [Fact]
    public async Task Viewer_WhoDoesNotLook_FindsOnlyTheNewest()
    {
        await using var play = await Play.StartAsync();
        var feed = play.Gateway.Emulators.First.Pictures;
        using var slow = feed.Join(60);
        using var quick = feed.Join(60);
        var last = 0L;
        for (var count = 0; count < 20; count++)
        {
            last = (await quick.Newest.ReadAsync(TestContext.Current.CancellationToken)).Frame;
        }

        Assert.True(slow.Newest.TryRead(out var newest));
        Assert.True(newest.Frame >= last, $"{newest.Frame} is older than {last}");
        slow.Dispose();
        await slow.Newest.Completion;
    }

    [Fact]
    public async Task Emulator_ThatDoesNotAnswer_IsAProblemAtFirstAndAPauseLater()
    {
        await using var play = await Play.StartAsync();
        using var before = await PictureReader.OpenAsync(play.Client, "20");
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("screen.stream", """{"fps":20}""");
        var (frame, _) = await before.NextAsync();
        await play.StopEmulatorAsync(TimeSpan.FromMilliseconds(500));
        var received = await socket.EventAsync("screen");
        while (!received.TryGetProperty("problem", out _))
        {
            await socket.BytesAsync();
            received = await socket.EventAsync("screen");
        }

        Assert.EndsWith("silent", received.GetProperty("problem").GetProperty("type").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Get, "/v2/screen/stream", status: HttpStatusCode.ServiceUnavailable);
        play.ContinueEmulator();
        for (var shown = frame; shown <= frame + 60;)
        {
            shown = (await before.NextAsync()).Frame;
        }
    }

    [Theory]
    [InlineData("0")]
    [InlineData("61")]
    [InlineData("-1")]
    [InlineData("fast")]
    [InlineData("NaN")]
    public async Task Rate_ThatCannotBe_IsRefused(string fps)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Get, $"/v2/screen/stream?fps={fps}", status: HttpStatusCode.BadRequest);
        Assert.Contains("0.1 to 60", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static async Task<long> ShownAsync(WebSocketClient viewer)
    {
        var received = await viewer.EventAsync("screen");
        Assert.Equal(received.GetProperty("binary").GetInt32(), (await viewer.BytesAsync()).Length);
        return received.GetProperty("body").GetProperty("frame").GetInt64();
    }

    private static async Task<double> TakenAsync(Play play, string emulator, string command = "screen.get")
    {
        var page = ScrapedPage.Parse(await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken));
        return page.Sum(Screenshots, $"mgba_emulator={emulator}", $"mgba_command={command}");
    }
}
