using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The JSON of requests and responses that only WebSocket has.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(CancelAnswer))]
[JsonSerializable(typeof(RateAnswer))]
[JsonSerializable(typeof(TopicsAnswer))]
public sealed partial class WebSocketJson : JsonSerializerContext;
