using MgbaBridge.Gateway.Interfaces.Mcp;
using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>Sessions of agents, what they hold, and what people do with them.</summary>
public sealed class McpSessionTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task Initialize_WithTheIdOfASessionThatEnded_BeginsANewOne()
    {
        await using var play = await Play.StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/mcp") { Headers = { { "Accept", "application/json, text/event-stream" }, { "Mcp-Session-Id", "a-session-of-yesterday" } } };
        request.Content = new StringContent(
            """{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"late","version":"1.0"}}}""", System.Text.Encoding.UTF8, "application/json");
        using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.NotEqual("a-session-of-yesterday", response.Headers.GetValues("Mcp-Session-Id").Single());
    }

    [Fact]
    public async Task Session_ThatHasEnded_IsNotFoundAndTheAgentDisappears()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("observe");
        Assert.True((await AgentAsync(play)).GetProperty("connected").GetBoolean());
        using (var ended = await agent.SendAsync(HttpMethod.Delete))
        {
            Assert.Equal(HttpStatusCode.OK, ended.StatusCode);
        }

        using var response = await agent.PostAsync(agent.Message(1, "tools/list", "{}"));
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Contains("Send initialize", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Equal(0, (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents").GetArrayLength());
    }

    [Fact]
    public async Task Sessions_BeyondTheLimit_ReplaceTheOneThatIsUnusedLongest()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Mcp:MaxSessions", "2"));
        var first = await McpCaller.ConnectAsync(gateway.Client, "first");
        var second = await McpCaller.ConnectAsync(gateway.Client, "second");
        using var stream = await first.SendAsync(HttpMethod.Get); // in use, so it stays
        Assert.Equal(HttpStatusCode.OK, stream.StatusCode);
        var third = await McpCaller.ConnectAsync(gateway.Client, "third");
        using var gone = await second.PostAsync(second.Message(1, "tools/list", "{}"));
        Assert.Equal(HttpStatusCode.NotFound, gone.StatusCode);
        await first.RequestAsync("tools/list", "{}");
        await third.RequestAsync("tools/list", "{}");
    }

    [Theory]
    [InlineData("", HttpStatusCode.BadRequest, "not one JSON-RPC message")]
    [InlineData("null", HttpStatusCode.BadRequest, "expected one JSON-RPC message")]
    [InlineData("[]", HttpStatusCode.BadRequest, "not one JSON-RPC message")]
    [InlineData("""{"jsonrpc":"2.0","id":1,"method":"tools/list"}""", HttpStatusCode.BadRequest, "Send initialize first")]
    public async Task Post_WithoutASessionOrAMessage_IsRefused(string body, HttpStatusCode status, string expected)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var response = await new McpCaller(gateway.Client).PostAsync(body);
        Assert.Equal(status, response.StatusCode);
        Assert.Contains(expected, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Call_OfAnUnknownTool_IsAnErrorOfTheProtocol()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var agent = await McpCaller.ConnectAsync(gateway.Client);
        var error = (await agent.RequestAsync("tools/call", """{"name":"fly"}""")).GetProperty("error");
        Assert.Equal(-32602, error.GetProperty("code").GetInt32());
        Assert.Contains("There is no tool fly. Use one of observe,", error.GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("press", """{"keys":"#"}""", "a text of 1000000 characters")]
    [InlineData("press", """{"#":1}""", "There is no parameter")]
    [InlineData("wait_until", """{"condition":"#"}""", "at most 2000 are allowed")]
    [InlineData("read", """{"places":["#"]}""", "expected a list of 1 to 64 texts")]
    [InlineData("notes", """{"action":"append","text":"#"}""", "expected a text of 0 to 65536 characters")]
    [InlineData("#", "{}", "There is no tool")]
    public async Task Call_WithHugeArguments_GetsAShortErrorAndHoldsNothing(string tool, string arguments, string expected)
    {
        var play = await shared.PlayAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var huge = new string('A', 1_000_000);
        var answer = (await agent.RequestAsync("tools/call", $$"""{"name":"{{tool.Replace("#", huge, StringComparison.Ordinal)}}","arguments":{{arguments.Replace("#", huge, StringComparison.Ordinal)}}}""")).GetRawText();
        Assert.Contains(expected, answer, StringComparison.Ordinal);
        Assert.InRange(answer.Length, 1, 2_000);
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
        await agent.CallAsync("status");
    }

    [Fact]
    public async Task Message_BeyondTheLimitOrTooDeep_IsRefusedAndTheSessionContinues()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Http:MaxBody", "65536"));
        var agent = await McpCaller.ConnectAsync(gateway.Client);
        using var large = await agent.PostAsync(agent.Message(1, "tools/call", $$$"""{"name":"press","arguments":{"keys":"{{{new string('A', 70_000)}}}"}}"""));
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, large.StatusCode);
        using var deep = await agent.PostAsync(agent.Message(2, "tools/call", $$$"""{"name":"press","arguments":{"keys":{{{new string('[', 1_000)}}}{{{new string(']', 1_000)}}}}}"""));
        Assert.Equal(HttpStatusCode.BadRequest, deep.StatusCode);
        Assert.Contains("-32700", await deep.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        using var twice = await agent.PostAsync(agent.Message(3, "tools/call", """{"name":"press","arguments":{"keys":"A","keys":"B"}}"""));
        Assert.Equal(HttpStatusCode.BadRequest, twice.StatusCode);
        await agent.RequestAsync("tools/list", "{}");
    }

    [Fact]
    public async Task Agent_ThatVanishes_HoldsNothingAfterTheTimeout()
    {
        await using var play = await Play.StartAsync(services => services.Registered<McpOptions>().SessionTimeout = TimeSpan.FromSeconds(10));
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("take_control", """{"seconds":600}""");
        await Eventually.IsAsync(async () => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents").GetArrayLength() == 0);
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["B"],"wait":true}""", "person");
        using var response = await agent.PostAsync(agent.Message(1, "tools/list", "{}"));
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    [Fact]
    public async Task Agent_PausedByAPerson_GetsErrorsUntilItMayContinue()
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        await agent.CallAsync("press", """{"keys":"A"}""");
        var id = (await AgentAsync(play)).GetProperty("id").GetString();
        var paused = await play.AskGatewayAsync(HttpMethod.Put, $"/v2/agents/{id}", """{"paused":true}""");
        Assert.True(paused.GetProperty("paused").GetBoolean());
        Assert.Contains("A person has paused this agent", await agent.ErrorAsync("press", """{"keys":"A"}"""), StringComparison.Ordinal);

        // the same program, connected again, is the same agent
        using (await agent.SendAsync(HttpMethod.Delete))
        {
            agent = await McpCaller.ConnectAsync(play.Client);
        }

        Assert.Contains("A person has paused this agent", await agent.ErrorAsync("observe"), StringComparison.Ordinal);
        Assert.Equal(1, await play.EdgesAsync(0));
        await play.AskGatewayAsync(HttpMethod.Put, $"/v2/agents/{id}", """{"paused":false}""");
        await agent.CallAsync("press", """{"keys":"A"}""");
        Assert.Equal(2, await play.EdgesAsync(0));
        Assert.Equal(["done", "paused", "paused", "done"], (await AgentAsync(play)).GetProperty("recent").EnumerateArray().Select(call => call.GetProperty("outcome").GetString()));
        await play.SendAsync(HttpMethod.Put, "/v2/agents/nobody", """{"paused":true}""", status: HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Mcp_FromAForeignPageOrWithoutTheToken_IsRefused()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Http:Token", "0123456789abcdef0123"));
        using var unauthorized = await new McpCaller(gateway.Client).PostAsync("{}");
        Assert.Equal(HttpStatusCode.Unauthorized, unauthorized.StatusCode);
        using var request = new HttpRequestMessage(HttpMethod.Post, "/mcp") { Headers = { { "Origin", "https://example.org" }, { "Authorization", "Bearer 0123456789abcdef0123" } } };
        using var foreign = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.Forbidden, foreign.StatusCode);
    }

    [Fact]
    public async Task Tools_BeyondTheRoleOfTheToken_SayWhichRoleTheyNeed()
    {
        const string Viewer = "viewer-0123456789";
        const string Player = "player-0123456789";
        await using var play = await Play.StartAsync(("Http:Tokens:0", Credential.SettingOf(Role.Viewer, Viewer)), ("Http:Tokens:1", Credential.SettingOf(Role.Player, Player)));
        play.Client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Viewer);
        var viewer = await McpCaller.ConnectAsync(play.Client);
        await viewer.CallAsync("observe");
        Assert.Contains("a token with the role guest; the token has the role viewer", await viewer.ErrorAsync("press", """{"keys":"A"}"""), StringComparison.Ordinal);

        // the session belongs to its token
        play.Client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Player);
        using var foreign = await viewer.PostAsync(viewer.Message(1, "tools/list", "{}"));
        Assert.Equal(HttpStatusCode.NotFound, foreign.StatusCode);
        var player = await McpCaller.ConnectAsync(play.Client);
        await player.CallAsync("press", """{"keys":"A"}""");
        Assert.Contains("role owner", await player.ErrorAsync("write", """{"place":"0x02001000 u8","value":"1"}"""), StringComparison.Ordinal);
        Assert.Equal(1, await play.EdgesAsync(0));
    }

    private static async Task<JsonElement> AgentAsync(Play play) => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/agents")).GetProperty("agents")[0];
}
