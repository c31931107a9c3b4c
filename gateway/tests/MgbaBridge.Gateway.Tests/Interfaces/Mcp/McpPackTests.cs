using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Gateway.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>Walking, talking and choosing in games that have a pack, on the real core.</summary>
public sealed class McpPackTests
{
    private static readonly string[] OfPacks = ["choose", "go", "talk"];

    [Fact]
    public async Task Tools_AreOffered_WithAGameThatHasAPack()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Empty((await ToolsAsync(agent)).Intersect(OfPacks));
        Assert.Contains("This game has no game pack", await agent.ErrorAsync("go", """{"to":"1,1"}"""), StringComparison.Ordinal);

        await LoadAsync(play, Pack());
        Assert.Equal(OfPacks, (await ToolsAsync(agent)).Intersect(OfPacks).Order());
        var (seen, _) = await agent.CallAsync("observe", """{"picture":"none"}""");
        Assert.Equal(["@..", "...", "#.a"], Rows(seen));
    }

    [Fact]
    public async Task Game_IsPlayedToItsEnd_ByToolsAlone()
    {
        await using var play = await DemoAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("wait_until", """{"condition":"mode == 1","picture":"none"}""");
        Assert.Equal("title", Scene(await ObserveAsync(agent)).GetProperty("menu").GetProperty("name").GetString());
        Assert.False(Scene(await ObserveAsync(agent)).TryGetProperty("map", out _));
        Assert.StartsWith("Night falls", Said(await CallAsync(agent, "choose", ("option", "start")))[0], StringComparison.Ordinal);
        Assert.Contains("No text box is open", await agent.ErrorAsync("talk"), StringComparison.Ordinal);

        var map = Scene(await ObserveAsync(agent)).GetProperty("map");
        Assert.Equal("harbour", map.GetProperty("name").GetString());
        Assert.Equal((92, 100), PositionOf(map));
        Assert.Equal('@', Rows(map)[100 / 8][92 / 8]);
        Assert.Equal(5, map.GetProperty("things").GetArrayLength());

        foreach (var coin in new[] { "pier coin", "Beach Coin", "fence coin" })
        {
            Assert.True((await CallAsync(agent, "go", ("to", coin))).GetProperty("arrived").GetBoolean());
        }

        // a locked door first: three coins are too few
        Assert.Equal(["It is locked. Five coins\nfit into the lock."], Said(await CallAsync(agent, "talk", ("to", "door"))));
        Assert.True((await CallAsync(agent, "go", ("to", "right coin"))).GetProperty("arrived").GetBoolean());
        var bo = await CallAsync(agent, "talk", ("to", "Bo"));
        Assert.Equal("Yes", Scene(bo.GetProperty("seen")).GetProperty("menu").GetProperty("selected").GetString());
        Assert.Contains("A text box or a menu is open", await agent.ErrorAsync("go", """{"to":"cape"}"""), StringComparison.Ordinal);
        Assert.Contains("Its options are Yes, No", await agent.ErrorAsync("choose", """{"option":"Maybe"}"""), StringComparison.Ordinal);
        Assert.StartsWith("Bo: There you go", Said(await CallAsync(agent, "choose", ("option", "Yes")))[0], StringComparison.Ordinal);
        Assert.Equal(["Five coins fit into the\nlock, and it opens!"], Said(await CallAsync(agent, "talk", ("to", "door"))));
        Assert.Equal(["Light the great lamp?"], Said(await CallAsync(agent, "talk", ("to", "lamp"), ("answer", "Yes"))));
        var (end, _) = await agent.CallAsync("wait_until", """{"condition":"milestone == 5","picture":"none"}""");
        Assert.True(end.GetProperty("met").GetBoolean());
        Assert.Empty((await play.GetAsync("/v2/keys")).GetProperty("holders").EnumerateArray());
    }

    [Fact]
    public async Task Go_Over20Tiles_TakesNoMoreFramesThanAHeldKey()
    {
        await using var play = await DemoAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await BeginAsync(agent);
        Assert.True((await CallAsync(agent, "go", ("to", "40,110"))).GetProperty("arrived").GetBoolean());
        await agent.CallAsync("take_control");
        await agent.CallAsync("save", """{"name":"start"}""");

        var held = 0;
        for (var x = 0L; x < 200; held++)
        {
            await agent.CallAsync("step", """{"frames":1,"keys":["Right"],"picture":"none"}""");
            x = (await agent.CallAsync("read", """{"places":["x"]}""")).Content.GetProperty("values")[0].GetProperty("value").GetInt64();
        }

        await agent.CallAsync("load", """{"name":"start"}""");
        var went = await CallAsync(agent, "go", ("to", "200,110"));
        Assert.True(went.GetProperty("arrived").GetBoolean());
        Assert.InRange(went.GetProperty("frames").GetInt64(), 1, held * 1.1);
    }

    [Fact]
    public async Task Go_ToWhatCannotBeReached_SaysWhy()
    {
        await using var play = await DemoAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Contains("A text box or a menu is open", await agent.ErrorAsync("go", """{"to":"meadow"}"""), StringComparison.Ordinal);
        await BeginAsync(agent);
        Assert.Contains("Expected a position on this map, such as \"92,100\", or one of Mira, ", await agent.ErrorAsync("go", """{"to":"the moon"}"""), StringComparison.Ordinal);
        Assert.Equal("No way leads from 92,100 to 120,20.", await WhyAsync("120,20"));
        Assert.Equal("No open exit of cape leads to lamp room.", await WhyAsync("lamp room"));
        Assert.Equal("The limit of 5 frames was reached.", (await CallAsync(agent, "go", ("to", "meadow"), ("frames", 5))).GetProperty("why").GetString());
        await agent.CallAsync("wait_until", """{"condition":"mode == 2","picture":"none"}""");
        Assert.Contains("beach coin", await agent.ErrorAsync("go", """{"to":"nobody"}"""), StringComparison.Ordinal);

        async Task<string> WhyAsync(string to)
        {
            var went = await CallAsync(agent, "go", ("to", to));
            Assert.False(went.GetProperty("arrived").GetBoolean());
            return went.GetProperty("why").GetString()!;
        }
    }

    [Fact]
    public async Task Go_WhenATextOpensOnTheWay_StopsThere()
    {
        await using var play = await DemoAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await BeginAsync(agent);

        // the door says by itself that it is locked
        var went = await CallAsync(agent, "talk", ("to", "door"));
        Assert.Equal(["It is locked. Five coins\nfit into the lock."], Said(went));
        var other = await McpCaller.ConnectAsync(play.Client, "other");
        await other.CallAsync("take_control");
        Assert.Contains("has control", await agent.ErrorAsync("go", """{"to":"meadow"}"""), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"x":"nothing","y":0}""", null, "The game pack does not fit this game: ")]
    [InlineData("""{"x":0,"y":0}""", """{"cells":"0x02000008 u32","width":1,"height":1,"free":[0]}""", "is not a list of numbers, but u32")]
    [InlineData("""{"x":0,"y":0}""", """{"cells":"0x02001000 u8 4","width":3,"height":3,"free":[0]}""", "The cell 1, 1 of map 0 is number 4 of 0x02001000 u8 4, which has 4.")]
    [InlineData("""{"x":0,"y":0}""", """{"cells":"0x02001000 u8 4","width":"0x02000008 u32","height":262144,"free":[0]}""", "The map has ")]
    [InlineData("""{"x":"0x02000008 u32","y":0}""", """{"cells":"0x02000008 u32","width":1,"height":1,"free":[0]}""", "is not a list of numbers, but u32")]
    [InlineData("""{"x":-99999,"y":0}""", null, "The position of the player, -99999, 0, is none")]
    public async Task Pack_ThatContradictsTheGame_SaysHow(string player, string? grid, string expected)
    {
        await using var play = await Play.StartAsync();
        await LoadAsync(play, $$"""{"player":{{player}}{{(grid is null ? "" : $",\"grid\":{grid}")}}}""");
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Contains(expected, await agent.ErrorAsync("go", """{"to":"1,1"}"""), StringComparison.Ordinal);
        var (seen, png) = await agent.CallAsync("observe");
        Assert.Contains(expected, seen.GetProperty("note").GetString(), StringComparison.Ordinal);
        Assert.NotNull(png);
    }

    [Fact]
    public async Task Go_WhileSomebodyHoldsKeys_NamesThem()
    {
        await using var play = await Play.StartAsync();
        await LoadAsync(play, Pack());
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["Left"]}""", holder: "bob");
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Contains("bob holds Left, so the player would not go where it is to go.", await agent.ErrorAsync("go", """{"to":"(1,1)"}"""), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Go_WhoseControlAnOwnerEnds_SaysSo()
    {
        await using var play = await DemoAsync(framesPerSecond: 60);
        var agent = await McpCaller.ConnectAsync(play.Client);
        await BeginAsync(agent);
        var went = agent.ErrorAsync("go", """{"to":"cape"}""");
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("keys").GetArrayLength() > 0, "a key is down");
        using (await play.RawAsync(HttpMethod.Delete, "/v2/lease"))
        {
            Assert.Contains("The control of the game that this call had was ended by somebody else.", await went, StringComparison.Ordinal);
        }

        Assert.Empty((await play.GetAsync("/v2/keys")).GetProperty("holders").EnumerateArray());
    }

    [Fact]
    public async Task Go_WhileThePlayerIsOnNoMap_IsRefused()
    {
        await using var play = await Play.StartAsync();
        await LoadAsync(play, """{"player":{"x":0,"y":0,"present":"0x02001000 u8 == 9"}}""");
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Contains("The player is on no map", await agent.ErrorAsync("go", """{"to":"1,1"}"""), StringComparison.Ordinal);
        Assert.False(Scene(await ObserveAsync(agent)).TryGetProperty("map", out _));
    }

    [Fact]
    public async Task Go_WhereNothingMoves_ReleasesTheKeysAndSaysSo()
    {
        await using var play = await Play.StartAsync();
        await LoadAsync(play, Pack());
        var agent = await McpCaller.ConnectAsync(play.Client);
        var went = await CallAsync(agent, "go", ("to", "2,0"));
        Assert.Equal("Something that the game pack does not know is in the way at 0,0.", went.GetProperty("why").GetString());
        Assert.Empty((await play.GetAsync("/v2/keys")).GetProperty("holders").EnumerateArray());
        Assert.False(Scene(went.GetProperty("seen")).TryGetProperty("textBox", out _));
    }

    [Fact]
    public async Task Run_OfAnAgent_IsWrittenAndScored()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-").FullName;
        try
        {
            await using (var play = await Play.StartAsync(("Mcp:RunFolder", folder)))
            {
                await LoadAsync(play, """{"milestones":[{"name":"one","when":"0x02001000 u8 == 1","points":3},{"name":"two","when":"0x02001001 u8 == 2"}]}""");
                var agent = await McpCaller.ConnectAsync(play.Client);
                Assert.False(Scene(await ObserveAsync(agent)).TryGetProperty("reached", out _));
                await agent.ErrorAsync("go", """{"to":"1,1"}""");
                await agent.CallAsync("write", """{"place":"0x02001000 u8","value":1}""");
                var other = await McpCaller.ConnectAsync(play.Client, "other");
                Assert.False(Scene(await ObserveAsync(other)).TryGetProperty("reached", out _)); // it was reached before
                Assert.Equal("one", Assert.Single(Scene(await ObserveAsync(agent)).GetProperty("reached").EnumerateArray()).GetString());
                await agent.CallAsync("press", """{"keys":"A","picture":"none"}""");
                Assert.False(Scene(await ObserveAsync(agent)).TryGetProperty("reached", out _));
            }

            Assert.Equal(2, Directory.GetFiles(folder).Length);
            var texts = Directory.GetFiles(folder).Select(static path => (File: path, Text: File.ReadAllText(path))).ToArray();
            var (file, text) = Assert.Single(texts, static one => one.Text.Contains("test-agent", StringComparison.Ordinal));
            var (_, later) = Assert.Single(texts, static one => one.Text.Contains("\"other\"", StringComparison.Ordinal));
            Assert.Equal((0, 4), (RunScore.Of("later", later)!.Score, RunScore.Of("later", later)!.MaxScore));
            var run = RunScore.Of(file, $"{text}{text[..40]}")!; // a last line that was cut off
            Assert.Equal((3, 4, 2), (run.Score, run.MaxScore, run.Milestones));
            Assert.Equal((6, 1, 1), (run.Calls, run.Failed, run.Presses));
            Assert.Equal(("one", 3, 4), Assert.Single(run.Reached.Select(one => (one.Name, one.Points, one.Call))));
            Assert.Equal("test-agent", run.Client);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("no JSON")]
    [InlineData("""{"kind":"another"}""")]
    [InlineData("""[1]""")]
    public void Score_OfAnotherKindOfFile_IsNone(string text) => Assert.Null(RunScore.Of("file", text));

    private static string Pack() => """{"player":{"x":"0x02001010 u8","y":"0x02001011 u8"},"grid":{"cells":"0x02001000 u8 9","width":3,"height":3,"free":[0]},"things":[{"name":"stone","x":2,"y":2,"blocks":[1,1]}]}""";

    // the cells, of which the seventh is a wall, and the position
    private static async Task LoadAsync(Play play, string pack)
    {
        using (await play.RawAsync(HttpMethod.Put, "/v2/memory/0x02001000", Play.Bytes([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])))
        using (var loaded = await play.RawAsync(HttpMethod.Put, "/v2/properties", Play.Bytes(Encoding.UTF8.GetBytes($$"""{"properties":{},"pack":{{pack}}}"""))))
        {
            Assert.True(loaded.IsSuccessStatusCode, await loaded.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        }
    }

    private static async Task<Play> DemoAsync(int framesPerSecond = 600) =>
        await Play.StartAsync(await HeadlessEmulator.StartAsync(framesPerSecond: framesPerSecond, game: "demo.gba", bytes: BundledGames.Read("demo.gba")));

    private static async Task BeginAsync(McpCaller agent)
    {
        await agent.CallAsync("wait_until", """{"condition":"mode == 1","picture":"none"}""");
        await CallAsync(agent, "choose", ("option", "Start"));
    }

    private static async Task<JsonElement> CallAsync(McpCaller agent, string tool, params (string Name, JsonNode Value)[] arguments)
    {
        var all = new JsonObject(arguments.Select(argument => KeyValuePair.Create(argument.Name, (JsonNode?)argument.Value))) { ["picture"] = "none" };
        return (await agent.CallAsync(tool, all.ToJsonString())).Content;
    }

    private static async Task<JsonElement> ObserveAsync(McpCaller agent) => await CallAsync(agent, "observe");

    private static async Task<string[]> ToolsAsync(McpCaller agent) =>
        [.. (await agent.RequestAsync("tools/list", "{}")).GetProperty("result").GetProperty("tools").EnumerateArray().Select(tool => tool.GetProperty("name").GetString()!)];

    private static JsonElement Scene(JsonElement seen) => seen.GetProperty("scene");

    private static string[] Rows(JsonElement seenOrMap) =>
        [.. (seenOrMap.TryGetProperty("scene", out var scene) ? scene.GetProperty("map") : seenOrMap).GetProperty("rows").EnumerateArray().Select(row => row.GetString()!)];

    private static string[] Said(JsonElement talked) => [.. talked.GetProperty("said").EnumerateArray().Select(page => page.GetString()!)];

    private static (int X, int Y) PositionOf(JsonElement map) => (map.GetProperty("x").GetInt32(), map.GetProperty("y").GetInt32());
}
