using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Streaming.Sockets;

namespace MgbaBridge.Gateway.Streaming;

/// <summary>What travels in streams as JSON.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(EventAnswer))]
[JsonSerializable(typeof(LossAnswer))]
[JsonSerializable(typeof(CancelAnswer))]
[JsonSerializable(typeof(SocketBytesAnswer))]
[JsonSerializable(typeof(StateBody))]
[JsonSerializable(typeof(TopicsBody))]
[JsonSerializable(typeof(RateBody))]
[JsonSerializable(typeof(TopicsAnswer))]
public sealed partial class StreamJson : JsonSerializerContext;
