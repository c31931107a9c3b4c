using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.Http.Streams;
using MgbaBridge.Gateway.Interfaces.WebSockets;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Events;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>
/// Writes the AsyncAPI document: the messages of the WebSocket and of server-sent events, from the declarations of operations and topics. It is an OpenAPI
/// transformer because the generator makes the schemas.
/// </summary>
internal sealed class MessagesTransformer(OperationList operations, AsyncApiDocument asyncApi) : IOpenApiDocumentTransformer
{
    private const string WebSocket = "webSocket";
    private const string Events = "events";
    private const string RequestId = "RequestId";

    public async Task TransformAsync(OpenApiDocument document, OpenApiDocumentTransformerContext context, CancellationToken cancellationToken)
    {
        document.Paths = [];
        var schemas = new SchemaRegistry(document, context);
        var (messages, streamed, described) = (new JsonObject(), new JsonObject(), new JsonObject());
        messages["problem"] = Message("Why a request has no body.", Envelope("id", IdSchema("integer", "string", "null"), ("problem", await SchemaAsync(typeof(Problem)))));
        foreach (var operation in operations.All.Where(static operation => !operation.IsHttpOnly))
        {
            var role = operation.IsWithoutToken ? Role.Viewer : operation.Access.Role();
            await AddAsync(operation.Name, operation.Summary, operation.Description, role, operation.Describe().Parameters, operation.ResponseType, operation.CanBeBytes);
        }

        foreach (var (name, operation) in WebSocketOperations.OfTheSession)
        {
            await AddAsync(name, operation.Summary, null, Role.Viewer, operation.Parameters, operation.Answer, canBeBytes: false);
        }

        messages["hello"] = Message("The first message of a WebSocket.", Envelope("hello", Hello()));
        AddEvent("screen", "A picture, as a binary message behind this one; or the problem why there is none.", await SchemaAsync(typeof(DoneAnswer)), isStreamed: false);
        messages["screenEvent"]!["payload"]!["properties"]!["problem"] = await SchemaAsync(typeof(Problem));
        messages["screenEvent"]!["payload"]!["required"] = new JsonArray("event");
        AddEvent(StreamEvents.Lost, "Events were dropped because they were not taken in time, oldest first.", await SchemaAsync(typeof(LossAnswer)));
        AddEvent(StreamEvents.Closed, "The stream ends.", await SchemaAsync(typeof(ClosedAnswer)), isOnWebSocket: false);
        foreach (var (row, sentence) in EventTopics.All.SelectMany(static topic => topic.Events, static (topic, row) => (row, $"Topic `{topic.Name}`."))
            .Append((EventRow.Ended, "A watch ended, of any topic that needs one.")))
        {
            AddEvent(row.Name, sentence, Json(SchemaOf(row)));
        }

        described["sendEvents"] = Sends(WebSocket, "Events of the topics that `subscribe` names, and pictures", messages.Where(static message => message.Key == "hello" || message.Key.EndsWith("Event", StringComparison.Ordinal)));
        described["streamEvents"] = Sends(Events, "Server-sent events of the topics in the query", streamed);
        asyncApi.Json = Document(document, context, messages, streamed, described);

        async Task<JsonNode> SchemaAsync(Type type) => Json(await schemas.OfAsync(type, cancellationToken));

        async Task AddAsync(string name, string summary, string? description, Role role, IReadOnlyList<Parameter> parameters, Type answer, bool canBeBytes)
        {
            var id = OperationsTransformer.IdOf(name);
            var body = Json(await ParameterSchemas.ObjectAsync(parameters, null, json => schemas.OfAsync(json.Type, cancellationToken)));
            if (name == "cancel")
            {
                body["properties"]!["id"] = Id();
            }

            var request = Envelope("op", new JsonObject { ["const"] = name }, ("body", body));
            request["properties"]!["id"] = Id();
            request["properties"]!["binary"] = Typed("boolean", "Whether bytes are a binary message behind the text message rather than base64.");
            request["required"] = parameters.Any(static parameter => parameter.IsRequired) ? new JsonArray("id", "op", "body") : new JsonArray("id", "op");
            messages[id] = Message(summary + ".", request);
            messages[$"{id}Answer"] = Message($"The response to `{name}`.", Envelope("id", Id(), ("body", await SchemaAsync(answer))));
            var answers = new JsonArray(MessageOf(WebSocket, $"{id}Answer"), MessageOf(WebSocket, "problem"));
            if (canBeBytes)
            {
                var bytes = Envelope("id", Id(), ("body", await SchemaAsync(typeof(DoneAnswer))));
                bytes["required"] = new JsonArray("id", "body", "binary");
                messages[$"{id}Bytes"] = Message($"The response to `{name}` with `binary`: bytes behind this message.", bytes);
                answers.Insert(1, MessageOf(WebSocket, $"{id}Bytes"));
            }

            described[id] = new JsonObject
            {
                ["action"] = "receive",
                ["channel"] = Channel(WebSocket),
                ["summary"] = summary,
                ["description"] = $"{description} Needs the role `{role.Name()}`.".TrimStart(),
                ["messages"] = new JsonArray(MessageOf(WebSocket, id)),
                ["reply"] = new JsonObject { ["channel"] = Channel(WebSocket), ["messages"] = answers },
                ["x-operation"] = name,
                ["x-role"] = role.Name(),
            };
        }

        void AddEvent(string name, string summary, JsonNode body, bool isOnWebSocket = true, bool isStreamed = true)
        {
            var id = $"{OperationsTransformer.IdOf(name)}Event";
            if (isOnWebSocket)
            {
                var envelope = Envelope("event", new JsonObject { ["const"] = name }, ("body", body.DeepClone()));
                envelope["properties"]!["eventId"] = Typed("string", "Names the event: `subscribe` with `after` resumes behind it.");
                messages[id] = Message(summary, envelope);
            }

            if (isStreamed)
            {
                streamed[id] = Message(summary, (JsonObject)body, name);
            }
        }
    }

    private static JsonObject Document(OpenApiDocument document, OpenApiDocumentTransformerContext context, JsonObject messages, JsonObject streamed, JsonObject described)
    {
        var host = new Uri(OpenApiEndpoints.AddressOf(context.ApplicationServices)).Authority;
        return new JsonObject
        {
            ["asyncapi"] = "3.0.0",
            ["info"] = new JsonObject
            {
                ["title"] = "mGBA-bridge: messages",
                ["version"] = OpenApiEndpoints.Version,
                ["license"] = new JsonObject { ["name"] = "MIT" },
                ["description"] = "The messages of the WebSocket and of server-sent events. Operations, bodies and roles are those of the HTTP API (OpenAPI: `/openapi/v1.json`). "
                    + "Other emulators than the first have both channels below `/i/{id}`.",
            },
            ["defaultContentType"] = "application/json",
            ["servers"] = new JsonObject { ["webSocket"] = Server(host, "ws"), ["http"] = Server(host, "http") },
            ["channels"] = new JsonObject
            {
                [WebSocket] = new JsonObject
                {
                    ["address"] = WebSocketEndpoint.Connect.Path,
                    ["title"] = WebSocketEndpoint.Connect.Summary,
                    ["description"] = WebSocketEndpoint.Connect.Description,
                    ["servers"] = new JsonArray(Reference("#/servers/webSocket")),
                    ["messages"] = messages,
                    ["bindings"] = new JsonObject { ["ws"] = new JsonObject { ["method"] = "GET", ["query"] = QueryOf(WebSocketEndpoint.Connect.Describe()) } },
                },
                [Events] = new JsonObject
                {
                    ["address"] = EventEndpoint.Subscribe.Path,
                    ["title"] = EventEndpoint.Subscribe.Summary,
                    ["description"] = EventEndpoint.Subscribe.Description,
                    ["servers"] = new JsonArray(Reference("#/servers/http")),
                    ["messages"] = streamed,
                },
            },
            ["operations"] = described,
            ["components"] = new JsonObject
            {
                ["schemas"] = new JsonObject(Schemas(document).Prepend(KeyValuePair.Create(RequestId, (JsonNode?)IdSchema("integer", "string")))),
                ["securitySchemes"] = new JsonObject { ["token"] = new JsonObject { ["type"] = "http", ["scheme"] = "bearer", ["description"] = OpenApiEndpoints.AboutTokens } },
            },
        };
    }

    private static IEnumerable<KeyValuePair<string, JsonNode?>> Schemas(OpenApiDocument document) =>
        document.Components!.Schemas!.OrderBy(static one => one.Key, StringComparer.Ordinal).Select(static one => KeyValuePair.Create(one.Key, (JsonNode?)Json(one.Value)));

    private static JsonObject Server(string host, string protocol) => new()
    {
        ["host"] = host,
        ["protocol"] = protocol,
        ["security"] = new JsonArray(Reference("#/components/securitySchemes/token")),
    };

    private static JsonObject QueryOf(OperationDescription description) => new()
    {
        ["type"] = "object",
        ["properties"] = new JsonObject(description.Inputs.Where(static input => !input.IsHeader).Select(static input => KeyValuePair.Create(input.Name, (JsonNode?)Typed("string", input.Description)))),
    };

    private static JsonObject Sends(string channel, string summary, IEnumerable<KeyValuePair<string, JsonNode?>> messages) => new()
    {
        ["action"] = "send",
        ["channel"] = Channel(channel),
        ["summary"] = summary,
        ["messages"] = new JsonArray([.. messages.Select(message => MessageOf(channel, message.Key))]),
        ["x-role"] = Role.Viewer.Name(),
    };

    private static OpenApiSchema SchemaOf(EventRow row)
    {
        var schema = new OpenApiSchema
        {
            Type = JsonSchemaType.Object,
            Properties = new Dictionary<string, IOpenApiSchema>
            {
                ["frame"] = SchemaTransformer.SchemaOf(EventValueKind.Integer, "the script's frame count when it happened; 0 when the script did not say it"),
                ["epoch"] = SchemaTransformer.SchemaOf(EventValueKind.Text, "changes when the script or the game changes: eight hex digits"),
                ["topic"] = SchemaTransformer.SchemaOf(EventValueKind.Text, "the topic that it belongs to, written in full"),
            },
            Required = new HashSet<string> { "frame", "epoch", "topic" },
        };
        foreach (var value in row.Values.Append(EventValue.Dropped))
        {
            schema.Properties.Add(value.Name, SchemaTransformer.SchemaOf(value.Kind, value.Sentence));
        }

        return schema;
    }

    private static JsonObject Message(string summary, JsonObject payload, string? name = null)
    {
        var message = new JsonObject { ["summary"] = summary, ["payload"] = payload };
        if (name is not null)
        {
            message["name"] = name;
        }

        return message;
    }

    // {"id":1,"body":{…}}, with the number of the bytes behind it
    private static JsonObject Envelope(string name, JsonNode value, params ReadOnlySpan<(string Name, JsonNode Schema)> others)
    {
        var (properties, required) = (new JsonObject { [name] = value }, new JsonArray(name));
        foreach (var (other, schema) in others)
        {
            properties[other] = schema;
            required.Add((JsonNode)other);
        }

        properties["binary"] = Typed("integer", "How many bytes follow as a binary message.");
        return new JsonObject { ["type"] = "object", ["properties"] = properties, ["required"] = required };
    }

    private static JsonObject Hello()
    {
        var properties = new JsonObject
        {
            ["protocol"] = Typed("integer", "The version of the messages."),
            ["emulator"] = Typed("string", "The emulator's id."),
            ["holder"] = Typed("string", "The holder of this socket."),
            ["maxMessage"] = Typed("integer", "The most bytes of a message to the gateway."),
            ["requests"] = Typed("integer", "How many requests may be in progress; then the gateway stops reading."),
            ["lasting"] = Typed("integer", "How many that take frames may be in progress besides."),
            ["topics"] = Typed("integer", "How many topics may be subscribed to."),
        };
        return new JsonObject { ["type"] = "object", ["required"] = new JsonArray([.. properties.Select(static one => JsonValue.Create(one.Key))]), ["properties"] = properties };
    }

    private static JsonObject Id() => Reference($"#/components/schemas/{RequestId}");

    private static JsonObject IdSchema(params string[] types) => new() { ["type"] = new JsonArray([.. types.Select(static type => JsonValue.Create(type))]), ["description"] = WebSocketId.ExpectedFormat };

    private static JsonObject Typed(string type, string description) => new() { ["type"] = type, ["description"] = description };

    private static JsonObject Channel(string name) => Reference($"#/channels/{name}");

    private static JsonObject MessageOf(string channel, string name) => Reference($"#/channels/{channel}/messages/{name}");

    private static JsonObject Reference(string target) => new() { ["$ref"] = target };

    private static JsonObject Json(IOpenApiSerializable schema)
    {
        using var text = new StringWriter();
        schema.SerializeAsV31(new OpenApiJsonWriter(text, new OpenApiJsonWriterSettings { Terse = true }));
        return (JsonObject)JsonNode.Parse(text.ToString())!;
    }
}

/// <summary>The AsyncAPI document, once it is made.</summary>
internal sealed class AsyncApiDocument
{
    /// <summary>It.</summary>
    public JsonObject? Json { get; set; }
}
