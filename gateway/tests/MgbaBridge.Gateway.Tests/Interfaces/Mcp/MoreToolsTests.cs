using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>Clients that list the frequent tools only.</summary>
public sealed class MoreToolsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task Tools_OfACompactClient_AreFewer()
    {
        var play = await shared.PlayAsync();
        var (all, few) = (await ListedAsync(play, ""), await ListedAsync(play, "?toolsets=compact"));
        string[] names = [.. NamesOf(few)];
        Assert.Subset(NamesOf(all).Append("more_tools").ToHashSet(), names.ToHashSet());
        Assert.Contains("press", names);
        Assert.DoesNotContain("search_ram", names);
        Assert.DoesNotContain("more_tools", NamesOf(all));
        Assert.InRange(few.GetRawText().Length, 1, all.GetRawText().Length * 2 / 3);
        Assert.False(few.EnumerateArray().Single(tool => tool.GetProperty("name").GetString() == "more_tools").GetProperty("annotations").GetProperty("readOnlyHint").GetBoolean());
    }

    [Fact]
    public async Task MoreTools_FindsDescribesAndExecutesOne()
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, "compact", query: "?toolsets=compact");
        Assert.Equal(["search_ram"], NamesOf((await agent.CallAsync("more_tools", """{"query":"address"}""")).Content.GetProperty("tools")).Where(static name => name.StartsWith("search", StringComparison.Ordinal)));
        var info = (await agent.CallAsync("more_tools", """{"action":"info","tool":"write"}""")).Content.GetProperty("tools")[0];
        Assert.Equal(["place", "value"], info.GetProperty("parameters").GetProperty("required").EnumerateArray().Select(static name => name.GetString()));
        var (written, _) = await agent.CallAsync("more_tools", """{"action":"execute","tool":"write","arguments":{"place":"0x02001100 u8","value":"7"}}""");
        Assert.Equal("0x02001100", written.GetProperty("at").GetString());
        await agent.CallAsync("more_tools", """{"action":"execute","tool":"write","arguments":"{\"place\":\"0x02001100 u8\",\"value\":8}"}""");
        Assert.Equal(8, (await agent.CallAsync("read", """{"places":["0x02001100 u8"]}""")).Content.GetProperty("values")[0].GetProperty("value").GetInt32());
        var called = (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents").EnumerateArray().Single(static one => one.GetProperty("name").GetString() == "compact");
        Assert.Contains("write", called.GetProperty("recent").EnumerateArray().Select(static call => call.GetProperty("tool").GetString()));
    }

    [Theory]
    [InlineData("""{"action":"execute","tool":"fly"}""", "There is no tool \"fly\". Those that are not listed are sense, write,")]
    [InlineData("""{"action":"execute","tool":"more_tools"}""", "There is no tool \"more_tools\"")]
    [InlineData("""{"action":"execute","tool":"debug_where"}""", "There is no tool \"debug_where\"")]
    [InlineData("""{"action":"info"}""", "info needs tool")]
    [InlineData("""{"action":"execute","tool":"write","arguments":[1]}""", "arguments is no object")]
    [InlineData("""{"action":"execute","tool":"write","arguments":{"value":"1"}}""", "place is missing")]
    [InlineData("""{"action":"execute","tool":"write","arguments":{"address":"0x02000000 u8","value":"1"}}""", "Next: call write again, with \"place\": \"0x02000000 u8\" for it.")]
    public async Task MoreTools_WithWrongArguments_SaysWhatWouldWork(string arguments, string expected)
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=compact");
        Assert.Contains(expected, await agent.ErrorAsync("more_tools", arguments), StringComparison.Ordinal);
    }

    [Fact]
    public async Task MoreTools_WithTheDebugger_ReachesIt()
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client, query: "?toolsets=debug,compact");
        Assert.False((await agent.CallAsync("more_tools", """{"action":"execute","tool":"debug_where"}""")).Content.GetProperty("halted").GetBoolean());
    }

    private static async Task<JsonElement> ListedAsync(Play play, string query) =>
        (await (await McpCaller.ConnectAsync(play.Client, query: query)).RequestAsync("tools/list", "{}")).GetProperty("result").GetProperty("tools");

    private static IEnumerable<string> NamesOf(JsonElement tools) => tools.EnumerateArray().Select(static tool => tool.GetProperty("name").GetString()!);
}
