using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Streaming;

/// <summary>What travels in streams as JSON.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(EventAnswer))]
[JsonSerializable(typeof(LossAnswer))]
public sealed partial class StreamJson : JsonSerializerContext;
