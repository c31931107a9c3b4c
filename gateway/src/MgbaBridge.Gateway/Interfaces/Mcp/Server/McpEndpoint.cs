using System.Buffers;
using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Operations.Agents;
using MgbaBridge.Gateway.Interfaces.Http;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>MCP over Streamable HTTP at <c>/mcp</c>. Tokens, Host and Origin are checked before, as for every path.</summary>
/// <param name="sessions">The sessions.</param>
/// <param name="options">The server of requests without a session.</param>
internal sealed class McpEndpoint(McpSessions sessions, McpServerOptions options)
{
    /// <summary>The path.</summary>
    public const string Path = "/mcp";

    /// <summary>The header with the id of a session.</summary>
    public const string SessionHeader = "Mcp-Session-Id";

    private const int MaxName = 64;
    private const int NotFound = -32001;

    private static readonly JsonDocumentOptions Strict = new() { AllowDuplicateProperties = false };
    private static readonly JsonTypeInfo<JsonRpcMessage> MessageJson = (JsonTypeInfo<JsonRpcMessage>)McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(JsonRpcMessage));
    private static readonly JsonTypeInfo<JsonRpcError> ErrorJson = (JsonTypeInfo<JsonRpcError>)McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(JsonRpcError));

    /// <summary>Answers a message.</summary>
    public async Task PostAsync(HttpContext http)
    {
        if (await ReadAsync(http) is not { } message)
        {
            return;
        }

        var request = message as JsonRpcRequest;
        if (ToolsetNames.Read(http.Request.Query[ToolsetNames.Parameter], out var toolsets) is { } wrong)
        {
            await RefuseAsync(http, StatusCodes.Status400BadRequest, wrong, id: request?.Id ?? default);
            return;
        }

        if (ProtocolChecks.Find(http, message) is var (status, error))
        {
            await RefuseAsync(http, status, error, request?.Id ?? default);
            return;
        }

        string? version = http.Request.Headers[ProtocolChecks.VersionHeader];
        string? id = http.Request.Headers[SessionHeader];
        if (ProtocolChecks.IsWithoutSession(http))
        {
            await AnswerWithoutSessionAsync(http, message, version!, toolsets);
            return;
        }

        // a client may send the id of a session that has ended with the request that begins another one
        if (request is { Method: RequestMethods.Initialize } && (id is null || sessions.Find(id, TokenOf(http)) is null))
        {
            if (sessions.Begin(ClientOf(http, request.Params?["clientInfo"], request.Params?["protocolVersion"]?.ToString() ?? "")) is not { } begun)
            {
                await RefuseAsync(http, StatusCodes.Status429TooManyRequests, "All sessions are in use (Bridge:Mcp:MaxSessions). End one, or raise the setting.", id: request.Id);
                return;
            }

            await AnswerAsync(http, begun, message, version, toolsets);
        }
        else if (id is not null)
        {
            if (sessions.Find(id, TokenOf(http)) is not { } session)
            {
                await RefuseEndedAsync(http);
                return;
            }

            await AnswerAsync(http, session, message, version, toolsets);
        }
        else
        {
            await RefuseAsync(
                http, StatusCodes.Status400BadRequest,
                $"The header {SessionHeader} is missing. Send initialize first, or use protocol {ProtocolChecks.FirstWithoutSessions} with its header {ProtocolChecks.VersionHeader}.", id: request?.Id ?? default);
        }
    }

    /// <summary>Opens the stream of a session for messages that are no answers.</summary>
    public async Task GetAsync(HttpContext http)
    {
        if (await FindAsync(http) is not { } session)
        {
            return;
        }

        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return;
        }

        using var use = session.Enter();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, http.Revoked());
        BeginStream(http);
        try
        {
            await http.Response.Body.FlushAsync(over.Token);
            await session.Transport!.HandleGetRequestAsync(http.Response.Body, over.Token);
        }
        catch (OperationCanceledException)
        {
            // the client left, or the session has ended
        }
        catch (InvalidOperationException) when (!http.Response.HasStarted)
        {
            await RefuseAsync(http, StatusCodes.Status409Conflict, "The session has a stream already.");
        }
        catch (InvalidOperationException)
        {
            http.Abort(); // a second stream of one session, which had its headers already
        }
    }

    /// <summary>Ends a session.</summary>
    public async Task DeleteAsync(HttpContext http)
    {
        if (await FindAsync(http) is { } session)
        {
            await sessions.EndAsync(session);
        }
    }

    private static async Task AnswerAsync(HttpContext http, McpSession session, JsonRpcMessage message, string? version, Toolsets toolsets)
    {
        http.Response.Headers[SessionHeader] = session.Id;
        using var use = session.Enter();
        await AnswerAsync(http, session.Transport!, session.Agent, message, version, toolsets);
    }

    private async Task AnswerWithoutSessionAsync(HttpContext http, JsonRpcMessage message, string version, Toolsets toolsets)
    {
        var parameters = (message as JsonRpcRequest)?.Params;
        if (sessions.Of(ClientOf(http, parameters?["_meta"]?[MetaKeys.ClientInfo], version)) is not { } program)
        {
            await RefuseAsync(http, StatusCodes.Status429TooManyRequests, "As many programs as allowed are in use (Bridge:Mcp:MaxSessions). Try again, or raise the setting.", id: (message as JsonRpcRequest)?.Id ?? default);
            return;
        }

        using var use = program.Enter();
        await using var transport = new StreamableHttpServerTransport { Stateless = true };
        await using var server = McpServer.Create(transport, options, null, http.RequestServices);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted);
        var running = server.RunAsync(over.Token);
        try
        {
            await AnswerAsync(http, transport, program.Agent, message, version, toolsets);
        }
        finally
        {
            await over.CancelAsync();
            await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static async Task AnswerAsync(HttpContext http, StreamableHttpServerTransport transport, AgentSession agent, JsonRpcMessage message, string? version, Toolsets toolsets)
    {
        message.Context = new JsonRpcMessageContext { ProtocolVersion = version, Items = new Dictionary<string, object?> { [Sender.Item] = new Sender(agent, http.Caller(), toolsets, Activity.Current?.Context ?? default, http.Revoked()) } };
        BeginStream(http);
        try
        {
            if (!await transport.HandlePostRequestAsync(message, http.Response.Body, http.RequestAborted))
            {
                http.Response.Headers.ContentType = default;
                http.Response.StatusCode = StatusCodes.Status202Accepted;
            }
        }
        catch (OperationCanceledException)
        {
            // the client left, or the session has ended
            if (!http.Response.HasStarted && !http.RequestAborted.IsCancellationRequested)
            {
                await RefuseEndedAsync(http);
            }
        }
    }

    private async ValueTask<McpSession?> FindAsync(HttpContext http)
    {
        string? id = http.Request.Headers[SessionHeader];
        if (id is null || ProtocolChecks.IsWithoutSession(http))
        {
            http.Response.Headers.Allow = HttpMethods.Post;
            await RefuseAsync(http, StatusCodes.Status405MethodNotAllowed, $"Without a session only POST is possible; a session has the header {SessionHeader}.");
            return null;
        }

        if (sessions.Find(id, TokenOf(http)) is { } session)
        {
            return session;
        }

        await RefuseEndedAsync(http);
        return null;
    }

    private static async ValueTask<JsonRpcMessage?> ReadAsync(HttpContext http)
    {
        ReadOnlySequence<byte> body;
        try
        {
            body = await RawBody.ReadAsync(http);
        }
        catch (IOException exception) when (Problems.IsOfTheBody(exception))
        {
            await Problems.BadBodyAsync(http, exception, Problems.WriteAsync);
            return null;
        }

        try
        {
            var mark = EncodedBodies.MarkOf(body, out var wrong);
            if (wrong is not null)
            {
                await RefuseAsync(http, StatusCodes.Status400BadRequest, wrong, -32700);
                return null;
            }

            using var document = JsonDocument.Parse(body.Slice(mark), Strict);
            if (document.Deserialize(MessageJson) is { } message)
            {
                return message;
            }

            await RefuseAsync(http, StatusCodes.Status400BadRequest, "The body is null; expected one JSON-RPC message.", -32700);
        }
        catch (JsonException exception)
        {
            await RefuseAsync(http, StatusCodes.Status400BadRequest, $"The body is not one JSON-RPC message: {exception.Message}", -32700);
        }
        finally
        {
            RawBody.Done(http, body);
        }

        return null;
    }

    private static AgentClient ClientOf(HttpContext http, JsonNode? info, string version)
    {
        Holder.TryCreate(http.Request.Headers[HolderHeader.Name], out var holder);
        return new AgentClient(Bounded(info?["name"]) ?? "unknown", Bounded(info?["version"]), Bounded(version) ?? "", CallerAddress.Of(http).ToString(), holder?.Name, TokenOf(http));
    }

    private static string? Bounded(JsonNode? text) => text is JsonValue value && value.TryGetValue<string>(out var name) && name.Length > 0 ? EscapedText.Of(name[..Math.Min(MaxName, name.Length)]) : null;

    private static string TokenOf(HttpContext http) => http.Credential()?.Id ?? "";

    private static void BeginStream(HttpContext http)
    {
        http.Response.ContentType = "text/event-stream";
        http.Response.Headers.CacheControl = "no-cache,no-store";
    }

    private static Task RefuseEndedAsync(HttpContext http) =>
        RefuseAsync(http, StatusCodes.Status404NotFound, "There is no session of this id; it has ended. Send initialize to begin another one.", NotFound);

    private static Task RefuseAsync(HttpContext http, int status, string message, int code = -32000, RequestId id = default) =>
        RefuseAsync(http, status, new JsonRpcErrorDetail { Code = code, Message = message }, id);

    private static Task RefuseAsync(HttpContext http, int status, JsonRpcErrorDetail error, RequestId id)
    {
        http.Response.StatusCode = status;
        http.Response.ContentType = "application/json";
        return JsonSerializer.SerializeAsync(http.Response.Body, new JsonRpcError { Id = id, Error = error }, ErrorJson, http.RequestAborted);
    }
}
