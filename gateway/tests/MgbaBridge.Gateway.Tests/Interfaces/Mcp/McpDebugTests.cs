using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>The tools of the toolset debug, on the real core.</summary>
public sealed class McpDebugTests
{
    private const string Names = "02000008 00000004 B counter\n02000020 00000004 B presses\n08000000 00001000 T game\n";

    [Theory]
    [InlineData("", false)]
    [InlineData("?toolsets=", false)]
    [InlineData("?toolsets=debug", true)]
    [InlineData("?toolsets=debug,debug", true)]
    public async Task Toolset_IsOffered_WhenAskedFor(string query, bool isOffered)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var agent = await McpCaller.ConnectAsync(gateway.Client, query: query);
        var tools = (await agent.RequestAsync("tools/list", "{}")).GetProperty("result").GetProperty("tools").EnumerateArray().Select(tool => tool.GetProperty("name").GetString()).ToArray();
        Assert.Equal(isOffered, tools.Contains("debug_where"));
        Assert.Equal(isOffered ? 25 : 18, tools.Length);
        var called = await agent.RequestAsync("tools/call", """{"name":"debug_where"}""");
        Assert.Equal(isOffered, called.TryGetProperty("result", out _));
        if (!isOffered)
        {
            Assert.Contains("/mcp?toolsets=debug", called.GetProperty("error").GetProperty("message").GetString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Toolset_ThatIsUnknown_IsRefused()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var response = await new McpCaller(gateway.Client) { Query = "?toolsets=play" }.PostAsync("""{"jsonrpc":"2.0","id":1,"method":"ping"}""");
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains("Expected toolsets=debug,compact", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task WhoWrote_NamesTheInstruction_AndBackGoesThere()
    {
        await using var play = await StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug");
        var (begun, _) = await agent.CallAsync("who_wrote", """{"location":"presses"}""");
        Assert.Contains("kept from now on", begun.GetProperty("sentence").GetString(), StringComparison.Ordinal);
        await agent.CallAsync("press", """{"keys":"A","picture":"none"}""");
        var (found, _) = await agent.CallAsync("who_wrote", """{"location":"presses"}""");
        var write = Assert.Single(Texts(found, "writes"));
        Assert.Matches(@"^frame \d+: 0x02000020 \(presses\) 0 \(0x0\) -> 1 \(0x1\), 4 bytes, by 0x0800[0-9A-F]{4} \(game\+0x[0-9A-F]+\)$", write);

        await agent.CallAsync("debug_step", """{"kind":"halt"}""");
        await agent.CallAsync("debug_break", """{"kind":"change","location":"presses"}""");
        var (back, _) = await agent.CallAsync("debug_step", """{"kind":"backToPoint"}""");
        Assert.Contains("change of 4 bytes at 0x02000020 (presses): 0 (0x0) -> 1 (0x1)", back.GetProperty("why").GetString(), StringComparison.Ordinal);
        var (before, _) = await agent.CallAsync("debug_step", """{"kind":"back"}""");
        Assert.Matches(@"^The step is done, in frame \d+, which is in the past\.$", before.GetProperty("why").GetString());
        Assert.Contains("The history of the game begins here", (await agent.CallAsync("debug_step", """{"kind":"backToPoint"}""")).Content.GetProperty("why").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Watchpoint_OfAnAgentThatPlays_ShowsWhoWrites(bool hasControl)
    {
        await using var play = await StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug");
        if (hasControl)
        {
            await agent.CallAsync("take_control");
        }

        var (set, _) = await agent.CallAsync("debug_break", """{"kind":"change","location":"presses"}""");
        Assert.Contains($"{set.GetProperty("point")}: change 0x02000020 to 0x02000023 (presses), halts, 0 hits", Assert.Single(Texts(set, "points")), StringComparison.Ordinal);

        // the game counts a press of A, and is halted in the middle of it
        var halted = await agent.ErrorAsync("press", """{"keys":"A","picture":"none"}""");
        Assert.Matches(@"press has ended early, because the game was halted\. Point \d+ was hit: change of 4 bytes at 0x02000020 \(presses\): 0 \(0x0\) -> 1 \(0x1\), by 0x0800[0-9A-F]{4} \(game\+0x[0-9A-F]+\); it is at 0x0800", halted);
        var (where, _) = await agent.CallAsync("debug_where");
        Assert.True(where.GetProperty("halted").GetBoolean());
        Assert.Contains("change of 4 bytes at 0x02000020 (presses)", where.GetProperty("why").GetString(), StringComparison.Ordinal);
        Assert.Matches(@"^0x0800[0-9A-F]{4} \(game\+0x[0-9A-F]+\)$", where.GetProperty("pc").GetString());
        Assert.Matches("^r0=0x[0-9A-F]+ .* cpsr=0x[0-9A-F]+$", where.GetProperty("registers").GetString());
        var code = Texts(where, "code");
        Assert.Equal($"> {where.GetProperty("pc").GetString()}", code[4][..(2 + where.GetProperty("pc").GetString()!.Length)]);
        Assert.Equal(10, code.Length);
        Assert.StartsWith($"{where.GetProperty("pc").GetString()}", Texts(where, "stack")[0], StringComparison.Ordinal);

        Assert.Contains("debug_step with kind continue, which lets it run", await agent.ErrorAsync("press", """{"keys":"B"}"""), StringComparison.Ordinal);
        var (stepped, _) = await agent.CallAsync("debug_step");
        Assert.Equal("The step is done.", stepped.GetProperty("why").GetString());
        Assert.NotEqual(where.GetProperty("pc").GetString(), stepped.GetProperty("pc").GetString());
        await agent.CallAsync("debug_break", """{"action":"remove"}""");
        var (running, _) = await agent.CallAsync("debug_step", """{"kind":"continue","frames":3}""");
        Assert.False(running.GetProperty("halted").GetBoolean());
        await agent.CallAsync("press", """{"keys":"B","picture":"none"}""");
    }

    [Fact]
    public async Task Continue_EndsAtThePointThatIsHitNext()
    {
        await using var play = await StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug");
        Assert.Contains("call debug_step with kind halt", await agent.ErrorAsync("debug_step"), StringComparison.Ordinal);
        await agent.CallAsync("debug_step", """{"kind":"halt"}""");
        var (set, _) = await agent.CallAsync("debug_break", """{"kind":"change","location":"counter","condition":"counter & 3"}""");
        var (first, _) = await agent.CallAsync("debug_step", """{"kind":"continue"}""");
        var (second, _) = await agent.CallAsync("debug_step", """{"kind":"continue"}""");
        Assert.All([first, second], answer => Assert.Contains($"Point {set.GetProperty("point")} was hit: change of 4 bytes at 0x02000008 (counter)", answer.GetProperty("why").GetString(), StringComparison.Ordinal));
        Assert.Equal(4, second.GetProperty("frame").GetInt64() - first.GetProperty("frame").GetInt64());
        var (list, _) = await agent.CallAsync("debug_break", """{"action":"list"}""");
        Assert.Contains("(counter) if counter & 3, halts, 2 hits", Assert.Single(Texts(list, "points")), StringComparison.Ordinal);

        // what an agent holds ends with it
        using var ended = await agent.SendAsync(HttpMethod.Delete);
        await Eventually.IsAsync(async () => !(await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
        Assert.Empty((await play.GetAsync("/v2/debug/points")).GetProperty("points").EnumerateArray());
    }

    [Fact]
    public async Task Halt_OfAnAgentWithoutASession_EndsAfterSeconds()
    {
        await using var play = await StartAsync();
        var agent = McpCaller.Stateless(play.Client, query: "?toolsets=debug");
        await agent.CallAsync("debug_step", """{"kind":"halt","seconds":1}""");
        await Eventually.IsAsync(async () => !(await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
    }

    [Fact]
    public async Task Trace_ListsWhatWasExecuted_AndGoesOn()
    {
        await using var play = await StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug");
        var (begun, _) = await agent.CallAsync("trace");
        Assert.Contains("kept from now on", begun.GetProperty("sentence").GetString(), StringComparison.Ordinal);
        await agent.CallAsync("press", """{"keys":"A","picture":"none"}""");
        var (calls, _) = await agent.CallAsync("trace", """{"count":5}""");
        Assert.All(Texts(calls, "events"), static text => Assert.Matches(@"^frame \d+\.\d+, line \d+: (call|return): 0x0[08]00[0-9A-F]{4}( \(game\+0x[0-9A-F]+\))? -> 0x0[08]00[0-9A-F]{4}( \(game\+0x[0-9A-F]+\))?$", text));
        var next = (calls.GetProperty("nextFrame").GetInt64(), calls.GetProperty("nextNumber").GetInt64());
        var (more, _) = await agent.CallAsync("trace", $$"""{"kinds":"instruction","from":{{next.Item1}},"location":"game","count":3}""");
        Assert.All(Texts(more, "events"), static text => Assert.Matches(@"^frame \d+\.\d+, line \d+: 0x0800[0-9A-F]{4} \(game\+0x[0-9A-F]+\)  [a-z]", text));
        Assert.Equal(3, Texts(more, "events").Length);
    }

    [Fact]
    public async Task Code_AndDevices_AreTexts()
    {
        await using var play = await StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug");
        var (code, _) = await agent.CallAsync("disassemble", """{"address":"game","count":2,"mode":"arm"}""");
        Assert.Matches(@"^0x08000000 \(game\)  b 0x0800[0-9a-f]{4} ; game\+0x", Texts(code, "code")[0]);
        Assert.StartsWith("0x08000004 (game+0x4)  ", Texts(code, "code")[1], StringComparison.Ordinal);
        var (hardware, _) = await agent.CallAsync("hardware", """{"part":"interrupts"}""");
        Assert.Contains("IME (0x04000208) = 0x1: enabled 1", Texts(hardware.GetProperty("devices"), "interrupts"));
    }

    [Theory]
    [InlineData("debug_break", """{"kind":"change"}""", "add needs location")]
    [InlineData("debug_break", """{"location":"nothing_here"}""", "no symbol nothing_here")]
    [InlineData("debug_break", """{"location":"wram:0xFFFFFF"}""", "beyond the memory")]
    [InlineData("debug_break", """{"location":"counter","condition":"r99 == 1"}""", "r99")]
    [InlineData("debug_break", """{"action":"remove","point":77}""", "debug_break with action list, which lists them")]
    [InlineData("debug_step", """{"kind":"to"}""", "location is for the kind to")]
    [InlineData("debug_step", """{"kind":"aside"}""", "into, over, out, to, continue, halt, back, backToFrame or backToPoint")]
    [InlineData("disassemble", """{"mode":"mips"}""", "arm, thumb or sm83")]
    public async Task Calls_ThatCannotBe_SayWhatWould(string tool, string arguments, string expected)
    {
        await using var play = await StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug");
        Assert.Contains(expected, await agent.ErrorAsync(tool, arguments), StringComparison.Ordinal);
    }

    private static async Task<Play> StartAsync()
    {
        var play = await Play.StartAsync();
        using (await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes(System.Text.Encoding.ASCII.GetBytes(Names))))
        {
            return play;
        }
    }

    private static string[] Texts(JsonElement answer, string name) => [.. answer.GetProperty(name).EnumerateArray().Select(text => text.GetString()!)];
}
