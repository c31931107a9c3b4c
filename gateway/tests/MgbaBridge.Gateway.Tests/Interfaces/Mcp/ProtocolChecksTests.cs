using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Mcp;

/// <summary>Requests of protocol 2026-07-28 whose headers and <c>_meta</c> do not agree with their message.</summary>
public sealed class ProtocolChecksTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const string Meta = """
        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}
        """;

    [Theory]
    [InlineData("tools/list", "{$}", "", HttpStatusCode.BadRequest, -32020, "The header Mcp-Method is missing; it must be tools/list")]
    [InlineData("tools/list", "{$}", "Mcp-Method: TOOLS/LIST", HttpStatusCode.BadRequest, -32020, "is TOOLS/LIST; it must be tools/list")]
    [InlineData("tools/list", "{$}", "Mcp-Method: tools/list|Mcp-Method: tools/list", HttpStatusCode.BadRequest, -32020, "The header Mcp-Method is tools/list, tools/list")]
    [InlineData("tools/list", "{$}", "Mcp-Method: tools/list|MCP-Protocol-Version: 2025-11-25", HttpStatusCode.BadRequest, -32022, "The header MCP-Protocol-Version is 2026-07-28, 2025-11-25")]
    [InlineData("tools/call", """{"name":"status",$}""", "Mcp-Method: tools/call", HttpStatusCode.BadRequest, -32020, "The header Mcp-Name is missing; it must be status")]
    [InlineData("tools/call", """{"name":"status",$}""", "Mcp-Method: tools/call|Mcp-Name: press", HttpStatusCode.BadRequest, -32020, "is press; it must be status")]
    [InlineData("tools/call", """{"name":"status",$}""", "Mcp-Method: tools/call|Mcp-Name: =?base64?c3Rhd?=", HttpStatusCode.BadRequest, -32020, "it must be status")]
    [InlineData("tools/call", """{"name":"status",$}""", "Mcp-Method: tools/call|Mcp-Name: status|Mcp-Name: status", HttpStatusCode.BadRequest, -32020, "it must be status")]
    [InlineData("resources/read", """{"uri":"mgba://emulators/1/screen",$}""", "Mcp-Method: resources/read|Mcp-Name: x", HttpStatusCode.BadRequest, -32020, "mgba://emulators/1/screen")]
    [InlineData("tools/list", "{}", "Mcp-Method: tools/list", HttpStatusCode.BadRequest, -32602, "io.modelcontextprotocol/protocolVersion")]
    [InlineData("tools/list", """{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}""", "Mcp-Method: tools/list", HttpStatusCode.BadRequest, -32602, "io.modelcontextprotocol/clientCapabilities")]
    [InlineData("tools/list", """{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}}""", "Mcp-Method: tools/list", HttpStatusCode.BadRequest, -32020, "it must be 2025-11-25")]
    [InlineData("tools/list", """{"_meta":[]}""", "Mcp-Method: tools/list", HttpStatusCode.BadRequest, -32602, "io.modelcontextprotocol/protocolVersion")]
    [InlineData("initialize", "{$}", "Mcp-Method: initialize", HttpStatusCode.NotFound, -32601, "no method initialize")]
    [InlineData("ping", "{$}", "Mcp-Method: ping", HttpStatusCode.NotFound, -32601, "no method ping")]
    [InlineData("fly", "{$}", "Mcp-Method: fly", HttpStatusCode.NotFound, -32601, "no method fly")]
    public async Task Request_ThatDoesNotAgreeWithItself_IsRefusedWithItsId(string method, string parameters, string headers, HttpStatusCode status, int code, string expected)
    {
        var play = await shared.PlayAsync();
        using var response = await PostAsync(play.Client, method, parameters, headers);
        var answer = JsonElement.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken));
        Assert.Equal((status, code, "r-1"), (response.StatusCode, answer.GetProperty("error").GetProperty("code").GetInt32(), answer.GetProperty("id").GetString()));
        Assert.Contains(expected, answer.GetProperty("error").GetProperty("message").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("tools/call", """{"name":"status",$}""", "Mcp-Method: tools/call|Mcp-Name: =?base64?c3RhdHVz?=")]
    [InlineData("tools/list", "{$}", "Mcp-Method: tools/list|Mcp-Name: anything")]
    public async Task Request_ThatAgrees_IsAnswered(string method, string parameters, string headers)
    {
        var play = await shared.PlayAsync();
        using var response = await PostAsync(play.Client, method, parameters, headers);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.True((await McpCaller.LastAsync(response)).TryGetProperty("result", out _));
    }

    [Fact]
    public async Task Version_ThatIsUnknown_IsRefusedWithThoseThatDiscoverHas()
    {
        var play = await shared.PlayAsync();
        using var response = await PostAsync(play.Client, "server/discover", "{}", "Mcp-Method: server/discover", "2031-01-01");
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        var error = JsonElement.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).GetProperty("error");
        Assert.Equal("""{"supported":["2026-07-28"],"requested":"2031-01-01"}""", error.GetProperty("data").GetRawText());
        using var stream = new HttpRequestMessage(HttpMethod.Get, "/mcp") { Headers = { { "MCP-Protocol-Version", "2026-07-28" }, { "Mcp-Session-Id", "1" } } };
        using var refused = await play.Client.SendAsync(stream, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, refused.StatusCode);
    }

    [Fact]
    public async Task Lists_SayHowLongTheyMayBeKept_AndResourcesThatTheyMayNot()
    {
        var play = await shared.PlayAsync();
        var agent = McpCaller.Stateless(play.Client);
        foreach (var method in (string[])["prompts/list", "resources/templates/list"])
        {
            var list = (await agent.RequestAsync(method, "{}")).GetProperty("result");
            Assert.Equal((300_000, "public"), (list.GetProperty("ttlMs").GetInt32(), list.GetProperty("cacheScope").GetString()));
        }

        var resources = (await agent.RequestAsync("resources/list", "{}")).GetProperty("result");
        Assert.Equal((0, "private"), (resources.GetProperty("ttlMs").GetInt32(), resources.GetProperty("cacheScope").GetString()));
    }

    [Fact]
    public async Task Resource_ThatDoesNotExist_HasTheCodeOfTheVersionAndItsUri()
    {
        var play = await shared.PlayAsync();
        foreach (var (agent, code) in ((McpCaller, int)[])[(McpCaller.Stateless(play.Client), -32602), (await McpCaller.ConnectAsync(play.Client), -32002)])
        {
            var error = (await agent.RequestAsync("resources/read", """{"uri":"mgba://emulators/9/screen"}""")).GetProperty("error");
            Assert.Equal((code, "mgba://emulators/9/screen"), (error.GetProperty("code").GetInt32(), error.GetProperty("data").GetProperty("uri").GetString()));
        }
    }

    private static async Task<HttpResponseMessage> PostAsync(HttpClient client, string method, string parameters, string headers, string version = "2026-07-28")
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/mcp");
        request.Content = new StringContent(
            $$"""{"jsonrpc":"2.0","id":"r-1","method":"{{method}}","params":{{parameters.Replace("$", Meta, StringComparison.Ordinal)}}}""", Encoding.UTF8, "application/json");
        request.Headers.Accept.ParseAdd("application/json, text/event-stream");
        request.Headers.Add("MCP-Protocol-Version", version);
        foreach (var header in headers.Split('|', StringSplitOptions.RemoveEmptyEntries))
        {
            var (name, value) = (header[..header.IndexOf(": ", StringComparison.Ordinal)], header[(header.IndexOf(": ", StringComparison.Ordinal) + 2)..]);
            request.Headers.TryAddWithoutValidation(name, value);
        }

        return await client.SendAsync(request, TestContext.Current.CancellationToken);
    }
}
