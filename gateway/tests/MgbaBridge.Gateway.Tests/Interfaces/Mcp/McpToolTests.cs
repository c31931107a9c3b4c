using System.Text.Json;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>The tools for agents, on the real core.</summary>
public sealed class McpToolTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    public static TheoryData<string> Versions => [McpCaller.WithSession, McpCaller.WithoutSession];

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task Observe_OfTheTestGame_ShowsPictureKeysAndValues(string version)
    {
        await using var play = await Play.StartAsync();
        var agent = await ConnectAsync(play, version);
        var (seen, png) = await agent.CallAsync("observe", """{"watch":["0x02000008 u32","0x02000020 u32 2","wram:0x0 bytes 4"]}""");
        Assert.True(PngSize(png!) == (240, 160), "The picture is as large as the game's.");
        Assert.True(seen.GetProperty("frame").GetInt64() > 0);
        Assert.Equal(0, seen.GetProperty("keys").GetArrayLength());
        var values = seen.GetProperty("values");
        Assert.True(values.GetProperty("0x02000008 u32").GetInt64() > 0);
        Assert.Equal(2, values.GetProperty("0x02000020 u32 2").GetArrayLength());
        Assert.Equal(8, values.GetProperty("wram:0x0 bytes 4").GetString()!.Length);

        // the names are remembered, and what has changed is said
        await play.WaitAsync(2);
        (seen, _) = await agent.CallAsync("observe", """{"picture":"none"}""");
        Assert.Contains(" -> ", seen.GetProperty("changes").GetProperty("0x02000008 u32").GetString(), StringComparison.Ordinal);
        Assert.True(seen.GetProperty("passed").GetInt64() >= 2);
        Assert.False(seen.TryGetProperty("picture", out _));
    }

    [Fact]
    public async Task Observe_OfAGameThatRuns_IsAllOfOneFrame()
    {
        // as fast as possible: between two requests hundreds of frames run
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(framesPerSecond: 0));
        var agent = await McpCaller.ConnectAsync(play.Client);
        var behind = new HashSet<long>();
        for (var look = 0; look < 30; look++)
        {
            var (seen, png) = await agent.CallAsync("observe", """{"watch":["0x02000008 u32","0x03000048 u32"]}""");
            var frames = seen.GetProperty("values").GetProperty("0x02000008 u32").GetInt64();
            behind.Add(seen.GetProperty("frame").GetInt64() - frames);
            Assert.Equal(frames % 224, seen.GetProperty("values").GetProperty("0x03000048 u32").GetInt64());
            Assert.NotNull(png);
        }

        Assert.Single(behind);
    }

    [Fact]
    public async Task Observe_WhileAnotherHasTheLease_ShowsTheGame()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "boss");
        var (seen, png) = await agent.CallAsync("observe", """{"watch":["0x02000008 u32"]}""");
        Assert.True(seen.GetProperty("values").TryGetProperty("0x02000008 u32", out _));
        Assert.NotNull(png);
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "boss");
    }

    [Fact]
    public async Task Press_ThatSettlesStill_SaysWhetherThePictureChanged()
    {
        // the test game's box moves in each frame
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (moving, _) = await agent.CallAsync("press", """{"keys":"A","settle":"still 3 20","picture":"none"}""");
        Assert.False(moving.GetProperty("still").GetBoolean());
        var (plain, _) = await agent.CallAsync("press", """{"keys":"A","settle":2,"picture":"none"}""");
        Assert.False(plain.TryGetProperty("still", out _));
        var error = await agent.ErrorAsync("press", """{"keys":"A","settle":"still 1"}""");
        Assert.Contains("settle is \"still 1\"; expected a number of frames from 0 to 600, still", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Observe_AtEachScale_IsThatLargeOrSaysWhyNot()
    {
        await using var play = await Play.StartAsync(("Mcp:ResponseBudget", "1048576"));
        var agent = await McpCaller.ConnectAsync(play.Client);
        for (var scale = 1; scale <= 4; scale++)
        {
            var (seen, png) = await agent.CallAsync("observe", $$"""{"scale":{{scale}}}""");
            Assert.Equal(scale, seen.GetProperty("picture").GetProperty("scale").GetInt32());
            Assert.True(PngSize(png!) == (240 * scale, 160 * scale));
        }
    }

    [Fact]
    public async Task Observe_OfAGameWithGlyphs_HasTheTextOnTheScreen()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/properties", """{"textTables":{"glyphs":{"codes":{"05":"H","06":"i"}}},"properties":{}}""");
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("take_control");

        // mode 0 with BG1: tiles at 0x06004000, cells at 0x0600F000; row 2 of the screen says "Hi Hi"
        foreach (var (place, value) in new[]
        {
            ("0x0600F000 bytes 2048", new string('0', 4_096)), ("0x0600F088 u16 2", "[5,6]"), ("0x0600F08E u16 2", "[5,6]"), ("0x0400000A u16", "0x1E04"), ("0x04000014 u32", "0"), ("0x04000000 u16", "0x0240"),
        })
        {
            await agent.CallAsync("write", JsonSerializer.Serialize(new { place, value }));
        }

        var (seen, _) = await agent.CallAsync("observe", """{"picture":"none"}""");
        Assert.Equal(["Hi Hi"], seen.GetProperty("text").EnumerateArray().Select(line => line.GetString()));
    }

    [Theory]
    [MemberData(nameof(Versions))]
    public async Task Press_OfEachKind_IsSeenByTheGameExactlyAsOften(string version)
    {
        await using var play = await Play.StartAsync();
        var agent = await ConnectAsync(play, version);
        var before = await play.EdgesAsync(0);
        var (pressed, png) = await agent.CallAsync("press", """{"keys":"A"}""");
        Assert.NotNull(png);
        Assert.Equal("A 4", pressed.GetProperty("pressed").GetString());
        Assert.True(pressed.GetProperty("up").GetInt64() - pressed.GetProperty("down").GetInt64() == 4);
        Assert.True(pressed.GetProperty("seen").GetProperty("frame").GetInt64() >= pressed.GetProperty("up").GetInt64());
        (pressed, _) = await agent.CallAsync("press", """{"keys":"a 2, wait 3, Up+a","frames":1,"times":3,"settle":0,"picture":"none"}""");
        Assert.Equal(6, pressed.GetProperty("presses").GetInt32());
        Assert.Equal(before + 7, await play.EdgesAsync(0));
        Assert.Contains("\"pressed\":\"A+Up 2\"", await agent.TextAsync("press", """{"keys":"Up+a 2","picture":"none"}"""), StringComparison.Ordinal);
        var listed = (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents")[0];
        Assert.Equal(8, listed.GetProperty("presses").GetInt64());
        Assert.Equal(["A 4", "A 2, wait 3, A+Up 1, A 2, wait 3, A+Up 1, A 2, wait 3, A+Up 1", "A+Up 2"], listed.GetProperty("recent").EnumerateArray().Select(call => call.GetProperty("detail").GetString()));
    }

    [Theory]
    [InlineData(McpCaller.WithSession, false)]
    [InlineData(McpCaller.WithSession, true)]
    [InlineData(McpCaller.WithoutSession, false)]
    public async Task Presses_SentAtOnce_RunOneAfterTheOther(string version, bool inControl)
    {
        await using var play = await Play.StartAsync();
        var agent = await ConnectAsync(play, version);
        if (inControl)
        {
            await agent.CallAsync("take_control");
        }

        string[] keys = ["A", "B", "Start", "Select", "Up", "Down"];
        var presses = await Task.WhenAll(keys.Select(key => agent.CallAsync("press", $$"""{"keys":"{{key}}","settle":0,"picture":"none"}""")));
        var frames = presses.Select(press => (Down: press.Content.GetProperty("down").GetInt64(), Up: press.Content.GetProperty("up").GetInt64())).Order().ToArray();
        Assert.All(frames.Zip(frames.Skip(1)), pair => Assert.True(pair.First.Up <= pair.Second.Down, $"{pair.First} and {pair.Second}"));
        Assert.Equal(0, await play.ReadAsync("0x02000072", "u16"));
    }

    [Fact]
    public async Task Press_OfAKeyThatIsHeld_SaysThatTheGameSawNone()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""", holder: "other");
        await play.WaitAsync(2);
        var before = await play.EdgesAsync(0);
        var (pressed, _) = await agent.CallAsync("press", """{"keys":"A, B","times":2,"picture":"none"}""");
        Assert.Equal((before, 2), (await play.EdgesAsync(0), pressed.GetProperty("presses").GetInt32()));
        Assert.Equal("""["A"]""", pressed.GetProperty("unseen").GetRawText());
        Assert.Contains("did not see 2 of 4 presses: A was down already", pressed.GetProperty("note").GetString(), StringComparison.Ordinal);
        Assert.Equal("A", pressed.GetProperty("seen").GetProperty("holders").GetProperty("other").GetString());
        await agent.CallAsync("take_control", "{}");
        (pressed, _) = await agent.CallAsync("press", """{"keys":"A","picture":"none"}""");
        Assert.Equal(0, pressed.GetProperty("presses").GetInt32());
    }

    [Fact]
    public async Task Read_OfPlaces_HasTheirValuesOfOneFrame()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (read, _) = await agent.CallAsync("read", """{"places":["0x02000000 u32","0x02000000 u16be","0x02000000 s8 4","0x02000000 bytes 4"]}""");
        var values = read.GetProperty("values").EnumerateArray().Select(value => value.GetProperty("value")).ToArray();
        var bytes = Convert.FromHexString(values[3].GetString()!);
        Assert.Equal(BitConverter.ToUInt32(bytes), values[0].GetUInt32());
        Assert.Equal((bytes[0] << 8) | bytes[1], values[1].GetInt32());
        Assert.Equal(bytes.Select(value => (sbyte)value), values[2].EnumerateArray().Select(value => value.GetSByte()));
        Assert.Equal("0x02000000", read.GetProperty("values")[0].GetProperty("at").GetString());
    }

    [Theory]
    [InlineData("press", """{"keys":"Q"}""", "is not a step; expected keys, perhaps with frames")]
    [InlineData("press", """{"keys":"A 0"}""", "is not a step; expected keys, perhaps with frames")]
    [InlineData("press", """{"keys":"wait 3"}""", "no key")]
    [InlineData("press", """{"keys":"A 600","times":100}""", "100 steps of 60000 frames")]
    [InlineData("press", """{}""", "keys is missing; expected keys")]
    [InlineData("press", """{"keys":[{"key":"A"}]}""", "keys is a list; expected keys")]
    [InlineData("press", """{"keys":["A","Q"]}""", "\"Q\" is not a step; expected keys")]
    [InlineData("press", """{"keys":{"A":1}}""", "Next: call press again, for example with \"keys\": \"A 4, wait 10, Up+B 2\".")]
    [InlineData("press", """{"keys":"A","frames":"4.5"}""", "expected an integer from 1 to 36000. Next: call press again")]
    [InlineData("press", """{"keys":"A","frames":1.5}""", "expected an integer from 1 to 36000. Next: call press again")]
    [InlineData("press", """{"keys":"A","key":"B"}""", "There is no parameter \"key\". Did you mean keys? The parameters are keys, frames, times, waiting, settle, picture, scale, watch, emulator.")]
    [InlineData("press", """{"button":"A"}""", "There is no parameter \"button\". Did you mean keys?")]
    [InlineData("press", """{"keys":"A","duration":4}""", "There is no parameter \"duration\". Did you mean frames?")]
    [InlineData("press", """{"keys":"A","qqqqqqqq":4}""", "There is no parameter \"qqqqqqqq\". The parameters are keys,")]
    [InlineData("read", """{"addresses":["0x02000000"]}""", "Did you mean places?")]
    [InlineData("observe", """{"picture":"some"}""", "expected full, changes or none")]
    [InlineData("observe", """{"scale":5}""", "expected an integer from 1 to 4")]
    [InlineData("observe", """{"emulatr":"1"}""", "Did you mean emulator?")]
    [InlineData("step", """{"keys":["Q"]}""", "\"Q\" is not a key")]
    [InlineData("search_ram", """{"action":"refine"}""", "refine needs is")]
    [InlineData("observe", """{"emulator":"nobody"}""", "No emulator has the id nobody")]
    [InlineData("observe", """{"watch":["player.hp"]}""", "no property and no symbol player.hp")]
    [InlineData("read", """{"places":["0x02000000"]}""", "not a place with a type")]
    [InlineData("read", """{"places":["0x02000000 bytes 1000000"]}""", "Bridge:Mcp:ResponseBudget")]
    [InlineData("read", """{"places":["0x09999999999 u8"]}""", "is outside 0..0xFFFFFFFF. Next:")]
    [InlineData("read", """{"places":"x"}""", "no property and no symbol x")]
    [InlineData("read", """{"places":"0x02000000"}""", "write for example \"0x02000000 u8\"")]
    [InlineData("read", """{"places":"[[[["}""", "no property and no symbol [[[[")]
    [InlineData("read", """{"places":[]}""", "Next: call read again, for example with \"places\": [\"0x02000000 u32\"].")]
    [InlineData("press", """{"button":"A"}""", "Next: call press again, with \"keys\": \"A\" for it.")]
    [InlineData("press", """{"keys":"A","qqqqqqqq":4}""", "Next: call press again without \"qqqqqqqq\".")]
    [InlineData("press", """{"keys":"A","times":"many"}""", "Next: call press again, for example with \"times\": 1.")]
    [InlineData("observe", """{"picture":"some"}""", "Next: call observe again, for example with \"picture\": \"full\".")]
    [InlineData("search_ram", "{}", "Next: call search_ram again, for example with \"action\": \"start\".")]
    public async Task Call_WithWrongArguments_SaysWhatIsExpectedAndPressesNothing(string tool, string arguments, string expected)
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        Assert.Contains(expected, await agent.ErrorAsync(tool, arguments), StringComparison.OrdinalIgnoreCase);
        Assert.Equal(0, await play.EdgesAsync(0));
    }

    [Theory]
    [InlineData("press", """{"keys":["L","Up"],"settle":0,"picture":"none"}""", "\"pressed\":\"L 4, Up 4\"")]
    [InlineData("press", """{"keys":[["Up","B"],"R 2"],"settle":"0","picture":"none"}""", "\"pressed\":\"B+Up 4, R 2\"")]
    [InlineData("press", """{"keys":"Down","frames":"0x2","times":"2","scale":"","watch":"","emulator":"","picture":"NONE"}""", "\"pressed\":\"Down 2, Down 2\"")]
    [InlineData("read", """{"places":"0x02000000/u32"}""", "\"at\":\"0x02000000\"")]
    [InlineData("read", """{"places":["0x02000000:u16","wram:0x10/u8/4","u32 0x02000000","0x02000000 U8"]}""", "\"at\":\"wram:0x10\"")]
    [InlineData("read", """{"places":"0x02000000 u32, 0x02000004 u8"}""", "\"at\":\"0x02000004\"")]
    [InlineData("read", """{"places":"[\"0x02000000 u32\", \"0x02000004 u8\"]"}""", "\"at\":\"0x02000004\"")]
    [InlineData("wait_until", """{"condition":["0x02000008/u32 > 0","u8 0x02000008 >= 0"],"frames":"60","picture":"none"}""", "\"met\":true")]
    [InlineData("write", """{"place":"0x02001000/u8/2","value":[1,2]}""", "\"at\":\"0x02001000\"")]
    [InlineData("write", """{"place":"0x02001000/u8","value":7}""", "\"at\":\"0x02001000\"")]
    [InlineData("load", """{"anyRom":"false"}""", "\"states\":")]
    [InlineData("observe", """{"picture":null,"watch":["0x02000000/u32"],"scale":2.0}""", "\"0x02000000/u32\":")]
    public async Task Call_WithArgumentsAsModelsWriteThem_DoesWhatIsMeant(string tool, string arguments, string expected)
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, holder: "loose");
        Assert.Contains(expected, await agent.TextAsync(tool, arguments), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Step_WithKeysAsText_HoldsEach()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("take_control");
        foreach (var keys in (string[])["\"A+Up\"", "\"A, Up\"", "\"a up\"", "[\"A\",\"Up\"]", "\"[\\\"A\\\",\\\"Up\\\"]\""])
        {
            var before = (await play.EdgesAsync(0), await play.EdgesAsync(6));
            await agent.CallAsync("step", $$"""{"frames":2,"keys":{{keys}},"picture":"none"}""");
            await agent.CallAsync("step", """{"frames":2,"picture":"none"}""");
            Assert.Equal((before.Item1 + 1, before.Item2 + 1), (await play.EdgesAsync(0), await play.EdgesAsync(6)));
        }
    }

    [Fact]
    public async Task Tools_Listed_HaveFlatSchemasAndHints()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var agent = await McpCaller.ConnectAsync(gateway.Client);
        var tools = (await agent.RequestAsync("tools/list", "{}")).GetProperty("result").GetProperty("tools");
        Assert.All(tools.EnumerateArray(), tool =>
        {
            var text = tool.GetRawText();
            Assert.DoesNotContain("Of\":[", text, StringComparison.Ordinal); // anyOf, oneOf, allOf
            Assert.DoesNotContain("$ref", text, StringComparison.Ordinal);
            Assert.Equal("object", tool.GetProperty("outputSchema").GetProperty("type").GetString());
            Assert.All(tool.GetProperty("inputSchema").GetProperty("properties").EnumerateObject(), property => Assert.NotEqual("", property.Value.GetProperty("description").GetString()));
            Assert.Equal(JsonValueKind.False, tool.GetProperty("annotations").GetProperty("openWorldHint").ValueKind);
        });
    }

    private static async Task<McpCaller> ConnectAsync(Play play, string version) =>
        version == McpCaller.WithSession ? await McpCaller.ConnectAsync(play.Client) : McpCaller.Stateless(play.Client);

    private static (int Width, int Height) PngSize(byte[] png)
    {
        Assert.True(PngFile.TryRead(png, out var picture));
        return (picture.Width, picture.Height);
    }
}
