using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Mcp.Server;

/// <summary>A message of the client, as far as forwarding has to know it.</summary>
/// <param name="Utf8">The whole message.</param>
/// <param name="Method">The method, or null.</param>
/// <param name="Id">The id of a request as JSON, or null.</param>
/// <param name="Version">The protocol version that the message itself names, or null.</param>
/// <param name="CancelledRequest">The id of the request that it cancels, or null.</param>
internal sealed record StdioMessage(byte[] Utf8, string? Method, string? Id, string? Version, string? CancelledRequest)
{
    private const string ToolsCall = "tools/call";

    /// <summary>Tells the gateway that the client is ready.</summary>
    public static StdioMessage Initialized { get; } = new("""{"jsonrpc":"2.0","method":"notifications/initialized"}"""u8.ToArray(), "notifications/initialized", null, null, null);

    /// <summary>Whether the client waits for an answer. What is no JSON goes to the gateway as well, which answers with an error.</summary>
    public bool IsRequest => Id is not null;

    /// <summary>Reads what has to be known.</summary>
    public static StdioMessage Parse(byte[] line)
    {
        try
        {
            using var document = JsonDocument.Parse(line);
            var root = document.RootElement;
            var method = Text(root, "method");
            var id = method is not null && root.TryGetProperty("id", out var given) ? given.GetRawText() : null;
            var parameters = root.TryGetProperty("params", out var found) ? found : default;
            var meta = parameters.ValueKind == JsonValueKind.Object && parameters.TryGetProperty("_meta", out var about) ? about : default;
            var cancelled = method == "notifications/cancelled" && parameters.ValueKind == JsonValueKind.Object && parameters.TryGetProperty("requestId", out var request) ? request.GetRawText() : null;
            return new StdioMessage(line, method, id, Text(meta, "io.modelcontextprotocol/protocolVersion"), cancelled);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return new StdioMessage(line, null, "null", null, null);
        }
    }

    /// <summary>The protocol version in an answer to <c>initialize</c>, or null.</summary>
    public static string? VersionIn(byte[] answer)
    {
        using var document = JsonDocument.Parse(answer);
        return document.RootElement.TryGetProperty("result", out var result) ? Text(result, "protocolVersion") : null;
    }

    /// <summary>Why the gateway has refused a message, or null when its answer does not say.</summary>
    public static string? ReasonIn(string answer)
    {
        try
        {
            using var document = JsonDocument.Parse(answer);
            return Text(document.RootElement, "detail") ?? (document.RootElement.TryGetProperty("error", out var error) ? Text(error, "message") : null);
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>The answer to this request while the gateway cannot be reached: of a call the result that a failed call has, else an error.</summary>
    public byte[] Failure(string message) => Method != ToolsCall ? Error(message) : Encoding.UTF8.GetBytes(new JsonObject
    {
        ["jsonrpc"] = "2.0",
        ["id"] = JsonNode.Parse(Id!),
        ["result"] = new JsonObject
        {
            ["content"] = new JsonArray(new JsonObject { ["type"] = "text", ["text"] = message }),
            ["isError"] = true,
        },
    }.ToJsonString());

    /// <summary>Whether a message is the answer to this request.</summary>
    public bool IsAnsweredBy(byte[] message)
    {
        using var document = JsonDocument.Parse(message);
        return !document.RootElement.TryGetProperty("method", out _) && document.RootElement.TryGetProperty("id", out var id) && id.GetRawText() == Id;
    }

    /// <summary>An error as the answer to this request.</summary>
    public byte[] Error(string message) => Encoding.UTF8.GetBytes(new JsonObject
    {
        ["jsonrpc"] = "2.0",
        ["id"] = JsonNode.Parse(Id!),
        ["error"] = new JsonObject { ["code"] = -32000, ["message"] = message },
    }.ToJsonString());

    private static string? Text(JsonElement element, string name) =>
        element.ValueKind == JsonValueKind.Object && element.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
}
