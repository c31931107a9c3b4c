using System.Net;
using System.Text.Json;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Recordings;

public sealed class RewindOperationsTests
{
    private const string FrameCounter = $"/v2/memory/{Play.FrameCounter}/u32";

    [Fact]
    public async Task Ring_OfStates_IsBoundedAndLeadsBack()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Get, "/v2/rewind", status: HttpStatusCode.NotFound);
        await PutAsync(play, """{"every":10,"points":4}""");
        var frames = Array.Empty<long>();
        for (var last = 0L; last < 8;)
        {
            await play.WaitAsync(10);
            var now = (await ListAsync(play)).GetProperty("points").EnumerateArray().Select(point => point.GetProperty("frame").GetInt64()).ToArray();
            last += now.Except(frames).Count();
            frames = now;
            Assert.InRange(frames.Length, 0, 4);
        }

        Assert.All(frames.Zip(frames.Skip(1)), pair => Assert.True(pair.Second - pair.First >= 10));
        var before = await play.ReadAsync(Play.FrameCounter);
        await play.AskGatewayAsync(HttpMethod.Delete, "/v2/rewind");
        await play.SendAsync(HttpMethod.Get, "/v2/rewind", status: HttpStatusCode.NotFound);

        // the ring is gone; with another one the way back is the same
        await PutAsync(play, """{"every":600}""");
        var point = default(JsonElement);
        for (var count = 0; count == 0;)
        {
            var points = (await ListAsync(play)).GetProperty("points");
            count = points.GetArrayLength();
            point = count > 0 ? points[0] : point;
        }

        await play.WaitAsync(60);
        var frame = point.GetProperty("frame").GetInt64();
        using var picture = await play.RawAsync(HttpMethod.Get, $"/v2/rewind/{frame}/screen");
        var png = await picture.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.Equal("image/png", picture.Content.Headers.ContentType?.MediaType);
        Assert.True(png.Length < point.GetProperty("bytes").GetInt32(), "the state is left out of the picture");
        Assert.True(PngFile.TryRead(png, out var pixels));
        Assert.Equal((240, 160), (pixels.Width, pixels.Height));
        await play.Emulator.ControlAsync("pause"); // no frame runs between what follows
        var counter = await play.ReadAsync(Play.FrameCounter);
        await play.SendAsync(HttpMethod.Post, $"/v2/rewind/{frame}");
        var now2 = await play.ReadAsync(Play.FrameCounter);
        Assert.InRange(now2, before, counter - 30);
        await play.SendAsync(HttpMethod.Post, "/v2/rewind/1", status: HttpStatusCode.NotFound);
    }

    /// <summary>The game is paused, so that each press goes back from where the last one led.</summary>
    [Fact]
    public async Task Presses_OneAfterTheOther_GoBackFurtherAndNeverForward()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Put, "/v2/rewind", """{"every":10,"points":100}""");
        await Eventually.IsAsync(async () => (await PointsAsync(gateway)).Length >= 12);
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":true}""");
        var (before, value) = (await PointsAsync(gateway), await CounterAsync(gateway));
        var from = (await gateway.GetAsync(FrameCounter)).GetProperty("frame").GetInt64();
        for (var press = 1; press <= 3; press++)
        {
            var answer = await gateway.SendAsync(HttpMethod.Post, "/v2/rewind", """{"frames":20}""");
            var point = answer.GetProperty("point").GetInt64();
            Assert.False(answer.GetProperty("oldest").GetBoolean());
            Assert.Equal(before.Where(frame => frame <= point), await PointsAsync(gateway));
            Assert.Equal(before.Last(frame => frame <= from - 20), point);
            var now = await CounterAsync(gateway);
            Assert.InRange(now, value - (from - point) - 2, value - (from - point) + 2);
            (value, from) = (now, point);
        }

        // the game continues, and then goes back again; the few frames after a return are none to go back to
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":false}""");
        var kept = (await PointsAsync(gateway)).Length;
        await Eventually.IsAsync(async () => (await PointsAsync(gateway)).Length >= kept + 2);
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":true}""");
        var (points, reached) = (await PointsAsync(gateway), await CounterAsync(gateway));
        Assert.True(points[kept] - points[kept - 1] >= 10);
        await gateway.SendAsync(HttpMethod.Post, $"/v2/rewind/{points[^1]}");
        Assert.Equal(points, await PointsAsync(gateway));
        Assert.True(await CounterAsync(gateway) <= reached);
        Assert.True((await gateway.SendAsync(HttpMethod.Post, "/v2/rewind", """{"frames":20000}""")).GetProperty("oldest").GetBoolean());
        Assert.Equal(points[..1], await PointsAsync(gateway));
    }

    /// <summary>The game plays between the presses, longer than each goes back, and less than a second.</summary>
    [Fact]
    public async Task Presses_WithinASecond_LeadFurtherBackEach()
    {
        const string Holder = "player";
        await using var play = await Play.StartAsync();
        await PutAsync(play, """{"every":60,"points":10}""");
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);
        Task StepAsync() => play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":20}""", Holder);
        await Eventually.IsAsync(async () =>
        {
            await StepAsync();
            return (await ListAsync(play)).GetProperty("points").GetArrayLength() >= 6;
        });

        var last = long.MaxValue;
        for (var press = 1; press <= 3; press++)
        {
            var point = (await play.SendAsync(HttpMethod.Post, "/v2/rewind", """{"frames":10}""", Holder)).GetProperty("point").GetInt64();
            Assert.True(point < last, $"press {press} led to {point}, the one before to {last}");
            last = point;
            await StepAsync();
        }
    }

    [Theory]
    [InlineData("""{"every":9}""")]
    [InlineData("""{"points":0}""")]
    [InlineData("""{"points":1001}""")]
    public async Task Ring_ThatCannotBe_IsRefused(string body)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/rewind", body, status: HttpStatusCode.BadRequest);
    }

    private static async Task<long[]> PointsAsync(OwnedGateway gateway) => [.. (await gateway.GetAsync("/v2/rewind")).GetProperty("points").EnumerateArray().Select(point => point.GetProperty("frame").GetInt64())];

    private static async Task<long> CounterAsync(OwnedGateway gateway) => (await gateway.GetAsync(FrameCounter)).GetProperty("value").GetInt64();

    private static Task<JsonElement> PutAsync(Play play, string body) => play.AskGatewayAsync(HttpMethod.Put, "/v2/rewind", body);

    private static Task<JsonElement> ListAsync(Play play) => play.AskGatewayAsync(HttpMethod.Get, "/v2/rewind");
}
