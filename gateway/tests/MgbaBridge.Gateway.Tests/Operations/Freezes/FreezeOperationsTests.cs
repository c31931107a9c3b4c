using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Freezes;

public sealed class FreezeOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const string Map = """{"properties":{"frames":{"type":"u32","at":"0x02000008"},"node.value":{"type":"u32","at":"0x020000B0","chain":[8,0]},"greeting":{"type":"text","length":16,"at":"wram:0xA0"}}}""";

    [Fact]
    public async Task Freeze_OfANumber_KeepsItUntilItIsReleased()
    {
        await using var play = await Play.StartAsync();
        var set = await FreezeAsync(play, """{"location":"0x02000008","type":"u32","value":5000}""");
        Assert.Equal(("0x02000008", "http", "0x02000008"), (set.GetProperty("id").GetString(), set.GetProperty("holder").GetString(), set.GetProperty("location").GetString()));
        Assert.False(set.TryGetProperty("last", out _));
        for (var look = 0; look < 5; look++)
        {
            await play.WaitAsync(2);
            Assert.Equal(5000, await play.ReadAsync(Play.FrameCounter));
        }

        var listed = (await play.GetAsync("/v2/freezes")).GetProperty("freezes").EnumerateArray().Single();
        Assert.Equal(("0x02000008", "http", "iBMAAA=="), (listed.GetProperty("id").GetString(), listed.GetProperty("holder").GetString(), listed.GetProperty("bytes").GetString()));
        Assert.Equal(1, (await play.SendAsync(HttpMethod.Delete, "/v2/freezes/0x02000008")).GetProperty("released").GetInt32());
        await play.WaitAsync(5);
        Assert.InRange(await play.ReadAsync(Play.FrameCounter), 5003, 6000);
        var problem = await play.SendAsync(HttpMethod.Delete, "/v2/freezes/0x02000008", status: HttpStatusCode.NotFound);
        Assert.Equal("urn:mgba-bridge:problem:no-such-freeze", problem.GetProperty("type").GetString());
    }

    [Fact]
    public async Task Freeze_ByName_IsWrittenWhereThePropertyIs()
    {
        await using var play = await Play.StartAsync();
        using var map = await play.RawAsync(HttpMethod.Put, "/v2/properties", new StringContent(Map));
        Assert.Equal(HttpStatusCode.OK, map.StatusCode);
        Assert.Equal("0x02000008", (await FreezeAsync(play, """{"location":"frames","value":77}""")).GetProperty("location").GetString());
        Assert.Equal("wram:0xA0", (await FreezeAsync(play, """{"location":"greeting","value":"HELLO PAGE","frames":600}""")).GetProperty("location").GetString());

        // the pointers of a chain are followed once
        Assert.Equal("0x020000E0", (await FreezeAsync(play, """{"id":"node","location":"node.value","value":9}""")).GetProperty("location").GetString());
        await play.WaitAsync(3);
        Assert.Equal((77, 9), (await play.ReadAsync(Play.FrameCounter), await play.ReadAsync("0x020000E0")));
        Assert.Equal("HELLO PAGE", (await play.GetAsync("/v2/values/greeting")).GetProperty("value").GetString());
        Assert.Equal(["frames", "greeting", "node"], (await play.GetAsync("/v2/freezes")).GetProperty("freezes").EnumerateArray().Select(freeze => freeze.GetProperty("id").GetString()));
        Assert.Equal(3, (await play.SendAsync(HttpMethod.Delete, "/v2/freezes")).GetProperty("released").GetInt32());
    }

    [Theory]
    [InlineData("""{"location":"0x02001000","type":"u8","value":256}""", 400, "u8")]
    [InlineData("""{"location":"0x02001000","value":1}""", 400, "type")]
    [InlineData("""{"location":"nobody","value":1}""", 404, "nobody")]
    [InlineData("""{"location":"nowhere:0x10","type":"u8","value":1}""", 400, "nowhere")]
    [InlineData("""{"location":"0x02001000","type":"text","value":"A"}""", 400, "length")]
    [InlineData("""{"location":"0x02001000","type":"bytes","value":""}""", 400, "length")]
    [InlineData("""{"location":"0x02001000","type":"u8","value":1,"frames":0}""", 400, "frames")]
    [InlineData("""{"location":"0x02001000","type":"u8","value":1,"id":""}""", 400, "id")]
    [InlineData("""{"location":"0x02001000","type":"text","length":1025,"value":"A"}""", 400, "1024")]
    [InlineData("""{"location":"0x04000301","type":"u8","value":128}""", 400, "HALTCNT")]
    public async Task Freeze_ThatIsInvalid_IsRefusedAndLeavesNothing(string json, int status, string part)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Put, "/v2/freezes", json, status: (HttpStatusCode)status);
        Assert.Contains(part, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, (await play.GetAsync("/v2/freezes")).GetProperty("freezes").GetArrayLength());
    }

    [Fact]
    public async Task Freeze_OfAHolder_IsReleasedInItsName()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/freezes", """{"id":"hp","location":"0x02001000","type":"bytes","value":"AQID"}""", "bot-1");
        await play.SendAsync(HttpMethod.Delete, "/v2/freezes/hp", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Delete, "/v2/freezes/hp", holder: "bot-1");
    }

    [Fact]
    public async Task Freeze_OfAWebSocket_EndsWithIt()
    {
        await using var play = await Play.StartAsync();
        await FreezeAsync(play, """{"id":"mine","location":"0x02001004","type":"u8","value":1}""");
        using (var socket = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await socket.DoAsync("freezes.set", """{"id":"theirs","location":"0x02001000","type":"u8","value":7}""");
            var unnamed = await socket.RequestAsync("freezes.delete");
            Assert.Equal(400, unnamed.GetProperty("problem").GetProperty("status").GetInt32());
            Assert.Equal(2, (await play.GetAsync("/v2/freezes")).GetProperty("freezes").GetArrayLength());
        }

        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/freezes")).GetProperty("freezes").EnumerateArray().Select(freeze => freeze.GetProperty("id").GetString()).SequenceEqual(["mine"]));
    }

    [Fact]
    public async Task Recording_WhileValuesAreFrozen_DoesNotStartAndEndsWhenOneIs()
    {
        await using var play = await Play.StartAsync();
        await FreezeAsync(play, """{"location":"0x02001000","type":"u8","value":7}""");
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/recordings", "{}", status: HttpStatusCode.Conflict);
        Assert.Equal("urn:mgba-bridge:problem:values-frozen", problem.GetProperty("type").GetString());
        Assert.Equal(0, (await play.AskGatewayAsync(HttpMethod.Get, "/v2/recordings")).GetProperty("recordings").GetArrayLength());
        await play.SendAsync(HttpMethod.Delete, "/v2/freezes");

        using var started = await play.RawAsync(HttpMethod.Post, "/v2/recordings");
        var id = JsonDocument.Parse(await started.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement.GetProperty("id").GetString();
        var lines = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await FreezeAsync(play, """{"location":"0x02001000","type":"u8","value":7}""");
        await Eventually.IsAsync(async () =>
            (await play.AskGatewayAsync(HttpMethod.Get, "/v2/recordings")).GetProperty("recordings")[0].TryGetProperty("ended", out var ended) && ended.GetString() == "freeze");
        using var replay = await play.RawAsync(HttpMethod.Post, "/v2/replay", new StringContent(lines));
        Assert.Equal(HttpStatusCode.Conflict, replay.StatusCode);
        Assert.Contains("values-frozen", await replay.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    private static Task<JsonElement> FreezeAsync(Play play, string json) => play.SendAsync(HttpMethod.Put, "/v2/freezes", json);
}
