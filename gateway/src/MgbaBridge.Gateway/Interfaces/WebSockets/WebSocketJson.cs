using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The JSON of requests and responses that only WebSocket has.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(CancelAnswer))]
[JsonSerializable(typeof(RateAnswer))]
[JsonSerializable(typeof(TopicsAnswer))]
public sealed partial class WebSocketJson : JsonSerializerContext;
