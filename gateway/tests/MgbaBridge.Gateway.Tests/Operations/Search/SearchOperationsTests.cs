using System.Net;
using System.Text.Json;
using System.Text;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Search;

/// <summary>Finds what the ROM counts: headless/roms/README.md has the addresses.</summary>
public sealed class SearchOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const string Holder = "searcher";

    [Fact]
    public async Task Counters_AreFoundInThePast_InAnyOrderOfMoments()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/debug/history", """{"megabytes":64}""");
        await play.WaitAsync(40);
        var first = (await play.GetAsync("/v2/debug/history")).GetProperty("first").GetInt64();
        var search = await StartAsync(play, $$"""{"type":"u16","domains":["wram"],"past":{{first + 30}}}""");
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", $$"""{"is":"decreased","value":60,"past":{{first + 10}}}"""); // it counts up by 3 a frame
        var state = await play.SendAsync(HttpMethod.Post, $"{search}/refine", $$"""{"is":"increased","value":3,"past":{{first + 11}},"frames":5}""");
        Assert.Equal((1, 7, first + 15), (state.GetProperty("count").GetInt32(), state.GetProperty("passes").GetInt32(), state.GetProperty("frame").GetInt64()));
        var match = Assert.Single((await play.GetAsync($"{search}/matches")).GetProperty("matches").EnumerateArray());
        Assert.Equal("wram:0x82", match.GetProperty("location").GetString());
        Assert.Equal(match.GetProperty("first").GetInt64() - 45, match.GetProperty("value").GetInt64());
        Assert.Equal(Enumerable.Range(12, 4).Select(offset => first + offset), match.GetProperty("history").EnumerateArray().Select(static seen => seen.GetProperty("frame").GetInt64()));

        var gone = await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"changed","past":1}""", status: HttpStatusCode.NotFound);
        Assert.Contains($"the history has the frames {first} to ", gone.GetProperty("detail").GetString(), StringComparison.Ordinal);
        var rom = await play.SendAsync(HttpMethod.Post, "/v2/searches", $$"""{"type":"u16","ranges":[{"location":"0x08000000","length":64}],"past":{{first + 2}}}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("the history has memory that the game can write", rom.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Past_WithoutAHistory_IsRefused()
    {
        await using var play = await Play.StartAsync();
        var refused = await play.SendAsync(HttpMethod.Post, "/v2/searches", """{"type":"u8","past":5}""", status: HttpStatusCode.Conflict);
        Assert.Contains("debug.keepHistory", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"type":"u16","domains":["wram"]}""", """{"is":"increased","value":3}""", "wram:0x82", 3)]
    [InlineData("""{"type":"u32","domains":["wram"]}""", """{"is":"decreased","value":7}""", "wram:0x84", -7)]
    [InlineData("""{"type":"u16","domains":["wram"],"alignment":1}""", """{"is":"eq","against":"last","value":5}""", "wram:0x9D", 5)]
    [InlineData("""{"type":"s32","ranges":[{"location":"0x02000080","length":64}]}""", """{"is":"between","against":"last","value":-1,"to":-1}""", "0x0200008C", -1)]
    public async Task Counters_ThatGoOnByAStep_AreFoundByIt(string start, string refine, string location, long step)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);
        var search = await StartAsync(play, start);
        JsonElement state = default;
        for (var pass = 0; pass < 5; pass++)
        {
            await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", Holder);
            state = await play.SendAsync(HttpMethod.Post, $"{search}/refine", refine);
        }

        Assert.Equal((1, 6), (state.GetProperty("count").GetInt32(), state.GetProperty("passes").GetInt32()));
        var match = Assert.Single((await play.GetAsync($"{search}/matches")).GetProperty("matches").EnumerateArray());
        var history = match.GetProperty("history").EnumerateArray().Select(seen => (Frame: seen.GetProperty("frame").GetInt64(), Value: seen.GetProperty("value").GetInt64())).ToArray();
        Assert.Equal(location, match.GetProperty("location").GetString());
        Assert.Equal(4, history.Length);
        Assert.All(history.Zip(history.Skip(1)), pair => Assert.Equal((1, step), (pair.Second.Frame - pair.First.Frame, pair.Second.Value - pair.First.Value)));
        Assert.Equal(history[^1].Value, match.GetProperty("value").GetInt64());
        Assert.Equal(history[^1].Value - (5 * step), match.GetProperty("first").GetInt64());
    }

    [Fact]
    public async Task Values_KnownByTheirNumber_AreFoundInEitherOrder()
    {
        await using var play = await Play.StartAsync();
        Assert.Equal(["wram:0x90"], await FoundAsync(play, """{"type":"u32"}""", """{"is":"eq","value":3237998146}"""));
        using var _ = await play.RawAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}", Play.Bytes([0, 0xFE, 0xD4, 0x12, 0x34, 0x56]));
        Assert.Equal(["wram:0x1001"], await FoundAsync(play, """{"type":"s16","endian":"big","alignment":1}""", """{"is":"eq","value":-300}"""));
        Assert.Equal(["wram:0x1002"], await FoundAsync(play, """{"type":"u32","endian":"big","alignment":2}""", """{"is":"between","value":3557962838,"to":3557962838}"""));
    }

    [Fact]
    public async Task Passes_OverFrames_HoldInEach()
    {
        await using var play = await Play.StartAsync();
        var search = await StartAsync(play, """{"type":"u32","keep":10}""");
        await play.WaitAsync(1); // otherwise the first pass of the refinement may read the frame of the start, in which nothing has increased
        var state = await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"increased","frames":8}""");
        Assert.Equal(9, state.GetProperty("passes").GetInt32());
        var counter = (await play.GetAsync($"{search}/matches?limit=1000")).GetProperty("matches").EnumerateArray().Single(match => match.GetProperty("location").GetString() == "wram:0x8");
        var history = counter.GetProperty("history").EnumerateArray().ToArray();
        Assert.Equal(9, history.Length);
        // the frame counter counts frames, so both went on by the same
        Assert.Single(history.Select(seen => seen.GetProperty("frame").GetInt64() - seen.GetProperty("value").GetInt64()).Distinct());
        Assert.Equal(9, history.Select(seen => seen.GetProperty("frame").GetInt64()).Distinct().Count());
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"gt","against":"first"}""");
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"unchanged","against":"first"}""");
        Assert.Equal(0, (await play.GetAsync(search)).GetProperty("count").GetInt32());
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(4, 1)]
    [InlineData(2, 3)]
    public async Task Undo_OfATest_BringsBackItsPlacesAndItsLastPass(int keep, int frames)
    {
        await using var play = await Play.StartAsync();
        async Task WriteAsync(byte value)
        {
            using var _ = await play.RawAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}", Play.Bytes([value]));
        }

        await WriteAsync(10);
        var search = await StartAsync(play, $$"""{"type":"u8","domains":["wram"],"keep":{{keep}}}""");
        await play.SendAsync(HttpMethod.Post, $"{search}/undo", status: HttpStatusCode.Conflict);
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"eq","value":10}""");
        var before = await play.GetAsync(search);
        Assert.True(before.GetProperty("canUndo").GetBoolean());
        await WriteAsync(7);
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", $$"""{"is":"increased","frames":{{frames}}}"""); // a mistake
        Assert.DoesNotContain("wram:0x1000", await FoundAsync(play, search));
        var undone = await play.SendAsync(HttpMethod.Post, $"{search}/undo");
        Assert.Equal((before.GetProperty("count").GetInt32(), before.GetProperty("passes").GetInt64(), false), (undone.GetProperty("count").GetInt32(), undone.GetProperty("passes").GetInt64(), undone.GetProperty("canUndo").GetBoolean()));
        var problem = await play.SendAsync(HttpMethod.Post, $"{search}/undo", status: HttpStatusCode.Conflict);
        Assert.Contains("only the last one can", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"decreased","value":3}"""); // from 10, the pass before the mistake
        Assert.Contains("wram:0x1000", await FoundAsync(play, search));
        await WriteAsync(9);
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"changed","value":2}""");
        Assert.Contains("wram:0x1000", await FoundAsync(play, search));
        await WriteAsync(6);
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"changed","value":2}""");
        Assert.DoesNotContain("wram:0x1000", await FoundAsync(play, search));
    }

    [Fact]
    public async Task Matches_ByPages_AreAllOfThem()
    {
        await using var play = await Play.StartAsync();
        using var _ = await play.RawAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}", Play.Bytes([.. Enumerable.Repeat((byte)0xA7, 130)]));
        var search = await StartAsync(play, """{"type":"u8","ranges":[{"location":"wram:0x1000","length":65},{"location":"0x02001041","length":200}]}""");
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", """{"is":"eq","value":167}""");
        var found = new List<string>();
        int? offset = 0;
        for (var pages = 0; pages < 3; pages++)
        {
            var page = await play.GetAsync($"{search}/matches?offset={offset}&limit=60");
            Assert.Equal(130, page.GetProperty("count").GetInt32());
            found.AddRange(page.GetProperty("matches").EnumerateArray().Select(match => match.GetProperty("location").GetString()!));
            offset = page.TryGetProperty("next", out var next) ? next.GetInt32() : null;
        }

        Assert.Null(offset);
        Assert.Equal([.. Enumerable.Range(0, 65).Select(at => $"wram:0x{0x1000 + at:X}"), .. Enumerable.Range(0, 65).Select(at => $"0x{0x02001041 + at:X8}")], found);
        Assert.Empty((await play.GetAsync($"{search}/matches?offset=130")).GetProperty("matches").EnumerateArray());
        await play.SendAsync(HttpMethod.Get, $"{search}/matches?limit=1001", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Get, $"{search}/matches?offset=-1", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Searches_BeyondTheirMemory_AreRefusedUntilOneGoes()
    {
        await using var play = await Play.StartAsync(("Search:MaxMemory", "1048576"));
        const string Quarter = """{"type":"u32","domains":["wram"],"keep":1}""";
        var search = await StartAsync(play, Quarter);
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/searches", Quarter, status: HttpStatusCode.InsufficientStorage);
        Assert.Contains("Bridge:Search:MaxMemory", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        var list = await play.AskGatewayAsync(HttpMethod.Get, "/v2/searches");
        Assert.Equal(1, list.GetProperty("searches").GetArrayLength());
        Assert.True(list.GetProperty("memory").GetInt64() <= 1_048_576);
        await play.SendAsync(HttpMethod.Delete, search);
        await play.SendAsync(HttpMethod.Get, search, status: HttpStatusCode.NotFound);
        await StartAsync(play, Quarter);
    }

    [Fact]
    public async Task Search_OfAScriptThatIsGone_CannotGoOn()
    {
        // none of those that emulators take by themselves: another test's might be quicker to take it again
        var port = Clients.FreePort();
        await using var first = await HeadlessEmulator.StartAsync(port);
        await using var gateway = await GatewayHost.ReadyAsync(port);
        using var started = await gateway.Client.PostAsync("/v2/searches", Json("""{"type":"u8","domains":["iwram"]}"""), TestContext.Current.CancellationToken);
        var before = await JsonOf(started);
        await first.KillAsync();
        await using var second = await HeadlessEmulator.StartAsync(port);
        await Eventually.Is(() => gateway.Emulators.First.Health is { State: EmulatorState.Ready, Hello: { } hello } && Epoch(hello.Epoch) != before.GetProperty("epoch").GetString());
        var path = $"/v2/searches/{before.GetProperty("id").GetString()}";
        using var refined = await gateway.Client.PostAsync($"{path}/refine", Json("""{"is":"eq","value":0}"""), TestContext.Current.CancellationToken);
        Assert.Equal((HttpStatusCode.Conflict, "epoch-changed"), (refined.StatusCode, (await JsonOf(refined)).GetProperty("code").GetString()));
        using var after = await gateway.Client.GetAsync(path, TestContext.Current.CancellationToken);
        Assert.Equal(before.GetRawText(), (await JsonOf(after)).GetRawText());
    }

    [Theory]
    [InlineData("", """{"type":"u64"}""", "expected u8, s8, u16, s16, u32 or s32")]
    [InlineData("", """{"type":"u8","alignment":3}""", "alignment is 3; expected 1, 2 or 4")]
    [InlineData("", """{"type":"u8","keep":0}""", "keep is 0; expected an integer from 1 to 64")]
    [InlineData("", """{"type":"u8","domains":["nowhere"]}""", "There is no domain nowhere; this game has")]
    [InlineData("", """{"type":"u8","domains":[null]}""", "expected a list of 0 to 64 texts")]
    [InlineData("", """{"type":"u8","ranges":[{"location":"0x02000000","length":0}]}""", "ranges[0]: length is 0; expected an integer of at least 1")]
    [InlineData("", """{"type":"u8","ranges":[{"location":"0x02000000","length":4194305}]}""", "at most 4194304")]
    [InlineData("", """{"type":"u8","ranges":[{"location":"0x02000000","length":9223372036854775807},{"location":"0x02000000","length":9223372036854775807}]}""", "at most 4194304")]
    [InlineData("", """{"type":"u8","ranges":[{"location":"wram:0x3FFFF","length":2}]}""", "262144 bytes")]
    [InlineData("/refine", """{"is":"eq"}""", "Say the value")]
    [InlineData("/refine", """{"is":"eq","value":256}""", "0 to 255")]
    [InlineData("/refine", """{"is":"eq","value":1,"to":2}""", "nothing else has a to")]
    [InlineData("/refine", """{"is":"between","value":1}""", "between has a value and a to")]
    [InlineData("/refine", """{"is":"between","against":"last","to":1}""", "between which differences")]
    [InlineData("/refine", """{"is":"increased","value":256}""", "at most 255 apart")]
    [InlineData("/refine", """{"is":"lt","against":"first","value":2}""", "have a value, which is the difference")]
    [InlineData("/refine", """{"is":"unchanged","value":2}""", "have a value, which is the difference")]
    [InlineData("/refine", """{"is":"changed","value":0}""", "What changed by 0 is unchanged")]
    [InlineData("/refine", """{"is":"changed","frames":601}""", "frames is 601; expected an integer from 1 to 600")]
    public async Task Searches_ThatCannotBe_AreRefused(string path, string body, string expected)
    {
        var play = await shared.PlayAsync();
        var search = path == "" ? "/v2/searches" : await StartAsync(play, """{"type":"u8","domains":["iwram"]}""");
        var problem = await play.SendAsync(HttpMethod.Post, search + path, body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");

    private static string Epoch(Epoch epoch) => epoch.ToString();

    private static async Task<JsonElement> JsonOf(HttpResponseMessage response) =>
        JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;

    private static async Task<string> StartAsync(Play play, string body) =>
        $"/v2/searches/{(await play.SendAsync(HttpMethod.Post, "/v2/searches", body)).GetProperty("id").GetString()}";

    private static async Task<IEnumerable<string?>> FoundAsync(Play play, string start, string refine)
    {
        var search = await StartAsync(play, start);
        await play.SendAsync(HttpMethod.Post, $"{search}/refine", refine);
        return await FoundAsync(play, search);
    }

    private static async Task<IEnumerable<string?>> FoundAsync(Play play, string search)
    {
        return (await play.GetAsync($"{search}/matches")).GetProperty("matches").EnumerateArray().Select(match => match.GetProperty("location").GetString());
    }
}
