using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.Primitives;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>What the specification asks of a request over HTTP before it is answered: the version, and from 2026-07-28 on headers that agree with the message, and its <c>_meta</c>.</summary>
internal static class ProtocolChecks
{
    /// <summary>The header with the version of the protocol.</summary>
    public const string VersionHeader = "MCP-Protocol-Version";

    /// <summary>The first version without sessions.</summary>
    public const string FirstWithoutSessions = "2026-07-28";

    private const string MethodHeader = "Mcp-Method";
    private const string NameHeader = "Mcp-Name";

    private static readonly string[] Versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", FirstWithoutSessions];

    // requests that are answered without a session
    private static readonly string[] Methods =
    [
        RequestMethods.ServerDiscover, RequestMethods.ToolsList, RequestMethods.ToolsCall, RequestMethods.ResourcesList, RequestMethods.ResourcesTemplatesList, RequestMethods.ResourcesRead,
        RequestMethods.SubscriptionsListen, RequestMethods.PromptsList, RequestMethods.PromptsGet,
    ];

    private static readonly JsonTypeInfo<UnsupportedProtocolVersionErrorData> UnsupportedJson =
        (JsonTypeInfo<UnsupportedProtocolVersionErrorData>)McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(UnsupportedProtocolVersionErrorData));

    /// <summary>Whether a request has a version of the protocol without sessions.</summary>
    public static bool IsWithoutSession(HttpContext http) => http.Request.Headers[VersionHeader] == FirstWithoutSessions;

    /// <summary>What is wrong with a message, and the status of its answer; null if nothing is.</summary>
    public static (int Status, JsonRpcErrorDetail Error)? Find(HttpContext http, JsonRpcMessage message)
    {
        var (method, parameters) = message switch
        {
            JsonRpcRequest request => (request.Method, request.Params as JsonObject),
            JsonRpcNotification notification => (notification.Method, notification.Params as JsonObject),
            _ => (null, null), // an answer to the server
        };
        var headers = http.Request.Headers;
        if (headers[VersionHeader] is { Count: > 0 } version && (version.Count > 1 || !Versions.Contains(version[0])))
        {
            return Bad(McpErrorCode.UnsupportedProtocolVersion, $"The header {VersionHeader} is {Shown(version)}; expected one of {string.Join(", ", Versions)}.", UnsupportedData(version));
        }

        var meta = parameters?["_meta"] as JsonObject;
        var metaVersion = TextOf(meta?[MetaKeys.ProtocolVersion]);
        if (metaVersion is not null && metaVersion != headers[VersionHeader] && (IsWithoutSession(http) || string.CompareOrdinal(metaVersion, FirstWithoutSessions) >= 0))
        {
            return Mismatch(VersionHeader, headers[VersionHeader], metaVersion);
        }

        if (method is null || !IsWithoutSession(http))
        {
            return null;
        }

        if (headers[MethodHeader] != method)
        {
            return Mismatch(MethodHeader, headers[MethodHeader], method);
        }

        if (NameOf(method, parameters) is { } name && (headers[NameHeader] is not [var given] || McpHeaderEncoder.DecodeValue(given) != name))
        {
            return Mismatch(NameHeader, headers[NameHeader], name);
        }

        return message is not JsonRpcRequest ? null
            : metaVersion is null ? Missing(MetaKeys.ProtocolVersion)
            : meta?[MetaKeys.ClientCapabilities] is not JsonObject ? Missing(MetaKeys.ClientCapabilities)
            : Methods.Contains(method) ? null
            : (StatusCodes.Status404NotFound, new JsonRpcErrorDetail { Code = (int)McpErrorCode.MethodNotFound, Message = $"There is no method {Shown(method)} in protocol {FirstWithoutSessions}." });
    }

    // what Mcp-Name repeats
    private static string? NameOf(string method, JsonObject? parameters) => method switch
    {
        RequestMethods.ToolsCall or RequestMethods.PromptsGet => TextOf(parameters?["name"]),
        RequestMethods.ResourcesRead => TextOf(parameters?["uri"]),
        _ => null,
    };

    private static string? TextOf(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private static (int Status, JsonRpcErrorDetail Error) Mismatch(string header, StringValues given, string expected) => Bad(
        McpErrorCode.HeaderMismatch, $"The header {header} is {(given.Count == 0 ? "missing" : Shown(given))}; it must be {Shown(expected)}, as in the message.");

    private static (int Status, JsonRpcErrorDetail Error) Missing(string key) => Bad(
        McpErrorCode.InvalidParams, $"A request of protocol {FirstWithoutSessions} needs {key} in params._meta.");

    private static (int Status, JsonRpcErrorDetail Error) Bad(McpErrorCode code, string message, JsonNode? data = null) =>
        (StatusCodes.Status400BadRequest, new JsonRpcErrorDetail { Code = (int)code, Message = message, Data = data });

    // those of server/discover: a client that needs none of them falls back to initialize
    private static JsonNode? UnsupportedData(StringValues version) =>
        JsonSerializer.SerializeToNode(new UnsupportedProtocolVersionErrorData { Supported = [FirstWithoutSessions], Requested = Shown(version) }, UnsupportedJson);

    private static string Shown(StringValues values) => values.ToString() is { Length: > 80 } text ? text[..80] : values.ToString();
}
