using MgbaBridge.Gateway.Interfaces.Mcp;
using System.Net;
using System.Text.Json;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>Waiting, control, states, memory: what an agent does besides looking and pressing.</summary>
public sealed class McpPlayTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    // its progress shows that it is under way
    private const string LongWait = """{"name":"wait_until","arguments":{"frames":36000},"_meta":{"progressToken":1}}""";

    [Theory]
    [InlineData("""{"condition":"0x02000008 u32 > 5 and 0x02000020 u32 == 0"}""", true)]
    [InlineData("""{"condition":"u32 0x02000008 gt 5 and u8 wram:0x0 any 1"}""", true)]
    [InlineData("""{"condition":"0x02000008 u32be changed","frames":120}""", true)]
    [InlineData("""{"condition":"0x02000020 u32 >= 1 or 0x02000020 u32 changed","frames":3}""", false)]
    [InlineData("""{"condition":null,"frames":2}""", true)]
    public async Task WaitUntil_OfAConditionOrFrames_EndsAsItSays(string arguments, bool met)
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (waited, png) = await agent.CallAsync("wait_until", arguments);
        Assert.Equal(met, waited.GetProperty("met").GetBoolean());
        Assert.NotNull(png);

        // with control the same wait runs the frames itself
        await agent.CallAsync("take_control");
        (waited, _) = await agent.CallAsync("wait_until", arguments);
        Assert.Equal(met, waited.GetProperty("met").GetBoolean());
    }

    [Theory]
    [InlineData("hp", "\"hp\" is not a test")]
    [InlineData("hp < ", "is not a test")]
    [InlineData("hp < 3x", "is not a test")]
    [InlineData("0x02000000 u8 < x", "no property and no symbol x")]
    [InlineData("hp < 3 and", "\"\" is not a test")]
    [InlineData("hp < 3", "no symbol hp")]
    [InlineData("0x02000000 text 4 == 3", "is no number but text")]
    public async Task WaitUntil_WithAWrongCondition_SaysHowItIsWritten(string condition, string expected)
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Contains(expected, await agent.ErrorAsync("wait_until", JsonSerializer.Serialize(new { condition })), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sensors_OfAnAgent_AreSetUntilItEnds()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (seen, png) = await agent.CallAsync("sense", """{"light":1,"tilt":[10,0]}""");
        Assert.True(seen.GetProperty("frame").GetInt64() > 0);
        Assert.NotNull(png);
        Assert.Equal("[10,0]", await TiltAsync());
        Assert.Contains("expected two numbers from -90 to 90", await agent.ErrorAsync("sense", """{"tilt":[91,0]}"""), StringComparison.Ordinal);
        await agent.CallAsync("sense", """{"release":true,"gyro":5}""");
        Assert.Equal("[0,0]", await TiltAsync());
        await agent.CallAsync("sense", $$"""{"camera":"{{Convert.ToBase64String(png)}}","tilt":[20,0],"picture":"none"}""");
        Assert.True((await play.GetAsync("/v2/sensors")).GetProperty("camera").GetBoolean());
        Assert.Contains("no picture", await agent.ErrorAsync("sense", """{"camera":"AAAA","tilt":[30,0]}"""), StringComparison.Ordinal);
        Assert.Equal("[20,0]", await TiltAsync());
        await agent.CallAsync("sense", """{"clock":"fixed:2031-05-06T07:08:09","picture":"none"}""");
        Assert.Equal("2031-05-06T07:08:09", (await play.GetAsync("/v2/clock")).GetProperty("time").GetString());
        Assert.Contains("clock is \"later\"; expected host, host+SECONDS", await agent.ErrorAsync("sense", """{"clock":"later"}"""), StringComparison.Ordinal);
        Assert.Contains("Write at least one of light", await agent.ErrorAsync("sense", "{}"), StringComparison.Ordinal);
        using var ended = await agent.SendAsync(HttpMethod.Delete);
        await Eventually.IsAsync(async () => await TiltAsync() == "[0,0]");

        async Task<string> TiltAsync() => (await play.GetAsync("/v2/sensors")).GetProperty("tilt").GetRawText();
    }

    [Fact]
    public async Task Control_OfTheSecondOfTwoSessionsWithOneHolder_OutlivesTheFirst()
    {
        await using var play = await Play.StartAsync();
        var first = await McpCaller.ConnectAsync(play.Client, holder: "bot");
        await first.CallAsync("take_control");
        await first.CallAsync("press", """{"keys":"A","picture":"none"}""");
        var second = await McpCaller.ConnectAsync(play.Client, holder: "bot");
        await second.CallAsync("take_control");
        using var ended = await first.SendAsync(HttpMethod.Delete);
        Assert.True(ended.IsSuccessStatusCode);
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"]}""", holder: "other", status: HttpStatusCode.Locked);
        var (pressed, _) = await second.CallAsync("press", """{"keys":"B","picture":"none"}""");
        Assert.True(pressed.GetProperty("seen").GetProperty("control").GetBoolean());
    }

    [Fact]
    public async Task WaitUntil_CancelledTwice_EndsAndHoldsNothing()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var id = agent.NextId();
        using var waiting = await agent.PostAsync(agent.Message(id, "tools/call", LongWait));
        await McpCaller.FirstAsync(waiting);
        for (var times = 0; times < 2; times++)
        {
            using var cancelled = await agent.PostAsync($$$"""{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{{{id}}},"reason":"enough"}}""");
            Assert.Equal(HttpStatusCode.Accepted, cancelled.StatusCode);
        }

        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
        await Eventually.IsAsync(async () => (await AgentAsync(play)).GetProperty("recent").EnumerateArray().Any(call => call.GetProperty("outcome").GetString() == "cancelled"));
        await agent.CallAsync("observe");
    }

    [Fact]
    public async Task WaitUntil_OfAClientWithoutSession_IsCancelledWhenItLeaves()
    {
        await using var play = await Play.StartAsync();
        var agent = McpCaller.Stateless(play.Client);
        using (var waiting = await agent.PostAsync(agent.Message(agent.NextId(), "tools/call", LongWait)))
        {
            await McpCaller.FirstAsync(waiting);
        }

        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    [Fact]
    public async Task Progress_OfALongWait_IsSentWhenAsked()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        using var response = await agent.PostAsync(agent.Message(agent.NextId(), "tools/call", """{"name":"wait_until","arguments":{"frames":150},"_meta":{"progressToken":"p1"}}"""));
        var messages = await McpCaller.MessagesAsync(response);
        var progress = messages[0].GetProperty("params");
        Assert.Equal("notifications/progress", messages[0].GetProperty("method").GetString());
        Assert.Equal("p1", progress.GetProperty("progressToken").GetString());
        Assert.Equal(150, progress.GetProperty("total").GetInt32());
        Assert.True(messages[^1].GetProperty("result").GetProperty("structuredContent").GetProperty("met").GetBoolean());
    }

    [Fact]
    public async Task Control_OfAnAgent_StopsTheGameForOthersUntilItIsGivenBack()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (taken, _) = await agent.CallAsync("take_control");
        var frame = taken.GetProperty("frame").GetInt64();
        Assert.Equal("you", (await agent.CallAsync("status")).Content.GetProperty("control").GetString());

        // presses of the agent run exactly their frames; those of others are refused
        var edges = await play.EdgesAsync(0);
        var (pressed, _) = await agent.CallAsync("press", """{"keys":"A 2, wait 1, A 2","settle":3,"picture":"none"}""");
        Assert.Equal(pressed.GetProperty("up").GetInt64() + 3, pressed.GetProperty("seen").GetProperty("frame").GetInt64());
        Assert.True(pressed.GetProperty("seen").GetProperty("control").GetBoolean());
        Assert.Equal(edges + 2, await play.EdgesAsync(0));
        var refused = await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["B"]}""", "person", HttpStatusCode.Locked);
        Assert.Matches("^test-agent .* in (1[0-9]{2}) s if no step comes before", refused.GetProperty("detail").GetString());
        var (stepped, _) = await agent.CallAsync("step", """{"frames":5,"keys":"Right"}""");
        Assert.Equal(pressed.GetProperty("seen").GetProperty("frame").GetInt64() + 5, stepped.GetProperty("seen").GetProperty("frame").GetInt64());
        await agent.CallAsync("step", """{"keys":["Left","R"]}""");
        Assert.Equal((1, 1), (await play.EdgesAsync(5), await play.EdgesAsync(8)));

        // another agent learns who has control
        var other = await McpCaller.ConnectAsync(play.Client, "other");
        Assert.Equal(taken.GetProperty("holder").GetString(), (await other.CallAsync("status")).Content.GetProperty("control").GetString());
        Assert.Contains(taken.GetProperty("holder").GetString()!, await other.ErrorAsync("take_control"), StringComparison.Ordinal);
        Assert.Matches($@"^test-agent \({taken.GetProperty("holder").GetString()}\) has control of this game; it ends when it is given back, or in 1[0-9]{{2}} s", await other.ErrorAsync("press", """{"keys":"B"}"""));
        Assert.Contains("You do not have control", await other.ErrorAsync("step"), StringComparison.Ordinal);

        var (given, _) = await agent.CallAsync("give_back");
        Assert.False(given.TryGetProperty("holder", out _));
        await play.WaitAsync(2);
        Assert.True((await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64() > frame);
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["B"],"wait":true}""", "person");
        Assert.Equal(1, await play.EdgesAsync(1));
    }

    [Fact]
    public async Task Step_ThatIsCancelled_ReleasesItsKeys()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("take_control");
        var id = agent.NextId();
        using var stepping = await agent.PostAsync(agent.Message(id, "tools/call", """{"name":"step","arguments":{"frames":3600,"keys":"A"}}"""));
        await Eventually.IsAsync(async () => await play.EdgesAsync(0) == 1);
        using (await agent.PostAsync($$$"""{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{{{id}}}}}"""))
        {
            await Eventually.IsAsync(async () => (await AgentAsync(play)).GetProperty("recent").GetArrayLength() == 2);
        }

        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Control_OfAnAgentThatIsPausedOrLeaves_EndsAndTheGameContinues(bool paused)
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("take_control");
        if (paused)
        {
            await play.AskGatewayAsync(HttpMethod.Put, $"/v2/agents/{(await AgentAsync(play)).GetProperty("id").GetString()}", """{"paused":true}""");
        }
        else
        {
            using var ended = await agent.SendAsync(HttpMethod.Delete);
        }

        await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"frames":3}""");
        await Eventually.IsAsync(async () =>
        {
            using var tapped = await play.RawAsync(HttpMethod.Post, "/v2/keys/tap", new StringContent("""{"keys":["B"]}""", null, "application/json"), "person");
            return tapped.StatusCode == HttpStatusCode.OK;
        });
    }

    [Fact]
    public async Task States_SavedLoadedAndRewound_BringTheGameBack()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("press", """{"keys":"A"}""");
        await agent.CallAsync("save", """{"name":"one"}""");
        Assert.EndsWith("A state is named one. Next: Choose another name, or set replace.", await agent.ErrorAsync("save", """{"name":"one"}"""), StringComparison.Ordinal);
        await agent.CallAsync("save", """{"name":"one","replace":true}""");
        await agent.CallAsync("press", """{"keys":"A","times":2}""");
        Assert.Equal(3, await play.EdgesAsync(0));
        var (loaded, png) = await agent.CallAsync("load", """{"name":"one","watch":["0x02000020 u32"]}""");
        Assert.NotNull(png);
        Assert.Equal(1, loaded.GetProperty("seen").GetProperty("values").GetProperty("0x02000020 u32").GetInt64());
        StateOfAnotherGame(play);
        Assert.StartsWith("one: ", Assert.Single((await agent.CallAsync("load")).Content.GetProperty("states").EnumerateArray()).GetString(), StringComparison.Ordinal);
        Assert.EndsWith("There is no state two. Next: call load without a name, which lists them.", await agent.ErrorAsync("load", """{"name":"two"}"""), StringComparison.Ordinal);
        Assert.EndsWith("Next: call search_ram with action start, which begins one.", await agent.ErrorAsync("search_ram", """{"action":"list","search":"none"}"""), StringComparison.Ordinal);

        Assert.Contains("From now on", await agent.ErrorAsync("rewind"), StringComparison.Ordinal);
        await Eventually.IsAsync(async () => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/rewind")).GetProperty("points").GetArrayLength() > 0);
        await agent.CallAsync("press", """{"keys":"A","times":2}""");
        await agent.CallAsync("rewind", """{"frames":36000}""");
        Assert.Equal(1, await play.EdgesAsync(0));
    }

    [Fact]
    public async Task Memory_WrittenAndSearched_IsFound()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("write", """{"place":"0x02001000 u16","value":"0x1234"}""");
        Assert.Equal(0x1234, await play.ReadAsync("0x02001000", "u16"));
        var (written, _) = await agent.CallAsync("write", """{"place":"0x02001000 bytes 2","value":"0500"}""");
        Assert.Equal("3412", written.GetProperty("before").GetString());
        await agent.CallAsync("write", """{"place":"0x02001004 u8 3","value":"[1,2,3]"}""");
        await agent.CallAsync("write", """{"place":"0x02001008 text 8","value":"A \"B\""}""");
        Assert.Equal("A \"B\"", (await agent.CallAsync("read", """{"places":["0x02001008 text 8"]}""")).Content.GetProperty("values")[0].GetProperty("value").GetString());
        Assert.Contains("integer from", await agent.ErrorAsync("write", """{"place":"0x02001000 u8","value":256}"""), StringComparison.Ordinal);
        Assert.Contains("4 hex digits", await agent.ErrorAsync("write", """{"place":"0x02001000 bytes 2","value":"zz"}"""), StringComparison.Ordinal);

        Assert.Contains("no search", await agent.ErrorAsync("search_ram", """{"action":"list"}"""), StringComparison.Ordinal);
        var (search, _) = await agent.CallAsync("search_ram", """{"action":"start","type":"u32","domain":"wram"}""");
        Assert.True(search.GetProperty("count").GetInt32() > 1_000);
        await agent.CallAsync("press", """{"keys":"L","times":3,"picture":"none"}""");
        (search, _) = await agent.CallAsync("search_ram", """{"action":"refine","is":"increased","value":3}""");
        await agent.CallAsync("press", """{"keys":"L","times":2,"picture":"none"}""");
        (search, _) = await agent.CallAsync("search_ram", """{"action":"refine","is":"increased","value":2}""");
        Assert.Contains(search.GetProperty("candidates").EnumerateArray(), candidate => candidate.GetProperty("place").GetString() == "wram:0x44 u32");
        Assert.Contains("between has a value and a to", await agent.ErrorAsync("search_ram", """{"action":"refine","is":"between"}"""), StringComparison.OrdinalIgnoreCase);
        await agent.CallAsync("search_ram", """{"action":"delete"}""");
    }

    [Fact]
    public async Task Recording_OfAnAgent_HasItsPresses()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (started, _) = await agent.CallAsync("record", """{"action":"start"}""");
        await agent.CallAsync("press", """{"keys":"A","times":2}""");
        var (stopped, _) = await agent.CallAsync("record", """{"action":"stop"}""");
        Assert.Equal(started.GetProperty("recordings")[0].GetProperty("id").GetString(), stopped.GetProperty("recordings")[0].GetProperty("id").GetString());
        Assert.True(stopped.GetProperty("recordings")[0].GetProperty("inputs").GetInt32() >= 3, stopped.GetRawText()); // the first key may be down at its start
        await agent.CallAsync("record", """{"action":"delete"}""");
        Assert.Contains("no recording", await agent.ErrorAsync("record", """{"action":"stop"}"""), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Calls_BeyondTheLimit_GetAnErrorAndTheOthersGoOn()
    {
        await using var play = await Play.StartAsync(services => services.Registered<McpOptions>().MaxCalls = 1);
        var agent = await McpCaller.ConnectAsync(play.Client);
        using var waiting = await agent.PostAsync(agent.Message(agent.NextId(), "tools/call", LongWait));
        await McpCaller.FirstAsync(waiting);
        Assert.Contains("As many calls as allowed", await agent.ErrorAsync("observe"), StringComparison.Ordinal);
        using var ended = await agent.SendAsync(HttpMethod.Delete);
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    private static void StateOfAnotherGame(Play play)
    {
        var taken = new TakenState(new byte[16], new StoredGame("OTHER", "AGB-XXXX", "gba", 1), 1, new Epoch(1));
        Assert.NotNull(play.Gateway.Services.GetRequiredService<StateStore>().Save("other", "1", taken));
    }

    private static async Task<JsonElement> AgentAsync(Play play) => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents")[0];
}
