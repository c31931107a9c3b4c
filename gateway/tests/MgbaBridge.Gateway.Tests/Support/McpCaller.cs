using System.Net;
using System.Text;
using System.Text.Json;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>An agent that speaks MCP by hand, with a session (2025-11-25) or without one (2026-07-28).</summary>
internal sealed class McpCaller(HttpClient client)
{
    public const string WithSession = "2025-11-25";
    public const string WithoutSession = "2026-07-28";

    private int _lastId;

    public string? Session { get; private set; }

    public string Version { get; private set; } = WithSession;

    public string Name { get; private init; } = "test-agent";

    public string? Holder { get; private init; }

    /// <summary>What follows the path: <c>?toolsets=debug</c>.</summary>
    public string Query { get; init; } = "";

    /// <summary>An agent with a session.</summary>
    public static async Task<McpCaller> ConnectAsync(HttpClient client, string name = "test-agent", string? holder = null, string query = "")
    {
        var caller = new McpCaller(client) { Name = name, Holder = holder, Query = query };
        using var response = await caller.PostAsync(
            $$$$"""{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"{{{{WithSession}}}}","capabilities":{},"clientInfo":{"name":"{{{{name}}}}","version":"1.0"}}}""");
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        caller.Session = response.Headers.GetValues("Mcp-Session-Id").Single();
        Assert.Equal("mgba-bridge", (await LastAsync(response)).GetProperty("result").GetProperty("serverInfo").GetProperty("name").GetString());
        using var accepted = await caller.PostAsync("""{"jsonrpc":"2.0","method":"notifications/initialized"}""");
        Assert.Equal(HttpStatusCode.Accepted, accepted.StatusCode);
        return caller;
    }

    /// <summary>An agent whose requests have no session.</summary>
    public static McpCaller Stateless(HttpClient client, string name = "test-agent", string? holder = null, string query = "") =>
        new(client) { Name = name, Version = WithoutSession, Holder = holder, Query = query };

    /// <summary>Calls a tool, and returns its structured content and its picture.</summary>
    public async Task<(JsonElement Content, byte[]? Png)> CallAsync(string tool, string arguments = "{}")
    {
        var result = await ResultAsync(tool, arguments);
        var text = result.GetProperty("content")[0].GetProperty("text").GetString()!;
        Assert.False(result.TryGetProperty("isError", out var isError) && isError.GetBoolean(), text);
        Assert.True(JsonElement.DeepEquals(result.GetProperty("structuredContent"), JsonElement.Parse(text)), text);
        var image = result.GetProperty("content").EnumerateArray().FirstOrDefault(block => block.GetProperty("type").GetString() == "image");
        return (result.GetProperty("structuredContent"), image.ValueKind == JsonValueKind.Undefined ? null : image.GetProperty("data").GetBytesFromBase64());
    }

    /// <summary>The text that the model gets of a call.</summary>
    public async Task<string> TextAsync(string tool, string arguments = "{}") => (await ResultAsync(tool, arguments)).GetProperty("content")[0].GetProperty("text").GetString()!;

    /// <summary>Calls a tool that fails, and returns the text that the model gets.</summary>
    public async Task<string> ErrorAsync(string tool, string arguments = "{}")
    {
        var result = await ResultAsync(tool, arguments);
        Assert.True(result.GetProperty("isError").GetBoolean(), result.GetRawText());
        var text = result.GetProperty("content")[0].GetProperty("text").GetString()!;
        Assert.Contains(" Next: ", text, StringComparison.Ordinal);
        return text;
    }

    public async Task<JsonElement> ResultAsync(string tool, string arguments) =>
        (await RequestAsync("tools/call", $$"""{"name":"{{tool}}","arguments":{{arguments}}}""")).GetProperty("result");

    /// <summary>Sends a request, and returns its answer.</summary>
    public async Task<JsonElement> RequestAsync(string method, string parameters)
    {
        using var response = await PostAsync(Message(NextId(), method, parameters));
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return await LastAsync(response);
    }

    public int NextId() => Interlocked.Increment(ref _lastId);

    /// <summary>A request as JSON.</summary>
    public string Message(int id, string method, string parameters)
    {
        if (Session is null)
        {
            var meta = $$$$"""
                "_meta":{"io.modelcontextprotocol/protocolVersion":"{{{{Version}}}}","io.modelcontextprotocol/clientInfo":{"name":"{{{{Name}}}}","version":"1.0"},"io.modelcontextprotocol/clientCapabilities":{}}
                """;
            parameters = parameters.Contains("\"_meta\":{", StringComparison.Ordinal) ? parameters.Replace("\"_meta\":{", $"{meta[..^1]},", StringComparison.Ordinal) : parameters == "{}" ? $"{{{meta}}}" : $"{{{meta},{parameters[1..]}";
        }

        return $$"""{"jsonrpc":"2.0","id":{{id}},"method":"{{method}}","params":{{parameters}}}""";
    }

    /// <summary>Sends a message as it is.</summary>
    public Task<HttpResponseMessage> PostAsync(string json)
    {
        var request = Request(HttpMethod.Post);
        request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        if (Version == WithoutSession)
        {
            AddHeaders(request, JsonElement.Parse(json));
        }

        return client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);
    }

    /// <summary>Opens the stream of the session, or ends the session.</summary>
    public Task<HttpResponseMessage> SendAsync(HttpMethod method) => client.SendAsync(Request(method), HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);

    /// <summary>The first message of an answer that has not ended.</summary>
    public static async Task<JsonElement> FirstAsync(HttpResponseMessage response)
    {
        var reader = new StreamReader(await response.Content.ReadAsStreamAsync(TestContext.Current.CancellationToken));
        while (await reader.ReadLineAsync(TestContext.Current.CancellationToken) is { } line)
        {
            if (line.StartsWith("data: ", StringComparison.Ordinal))
            {
                return JsonDocument.Parse(line[6..]).RootElement;
            }
        }

        throw new InvalidOperationException("The answer ended without a message.");
    }

    /// <summary>The last message of an answer.</summary>
    public static async Task<JsonElement> LastAsync(HttpResponseMessage response) => (await MessagesAsync(response))[^1];

    /// <summary>The messages of an answer.</summary>
    public static async Task<JsonElement[]> MessagesAsync(HttpResponseMessage response)
    {
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        return [.. text.Split('\n').Where(line => line.StartsWith("data: ", StringComparison.Ordinal)).Select(line => JsonDocument.Parse(line[6..]).RootElement)];
    }

    private static void AddHeaders(HttpRequestMessage request, JsonElement message)
    {
        request.Headers.Add("Mcp-Method", message.GetProperty("method").GetString());
        if (message.TryGetProperty("params", out var parameters) && (parameters.TryGetProperty("name", out var name) || parameters.TryGetProperty("uri", out name)))
        {
            request.Headers.Add("Mcp-Name", name.GetString());
        }
    }

    private HttpRequestMessage Request(HttpMethod method)
    {
        var request = new HttpRequestMessage(method, $"/mcp{Query}");
        request.Headers.Accept.ParseAdd("application/json, text/event-stream");
        request.Headers.Add("MCP-Protocol-Version", Version);
        if (Session is not null)
        {
            request.Headers.Add("Mcp-Session-Id", Session);
        }

        if (Holder is not null)
        {
            request.Headers.Add("Mgba-Holder", Holder);
        }

        return request;
    }
}
