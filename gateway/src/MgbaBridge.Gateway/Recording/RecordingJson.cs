using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Recording;

/// <summary>The lines of a recording as JSON.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    RespectNullableAnnotations = true,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(RecordingHeader))]
[JsonSerializable(typeof(RecordingLine))]
internal sealed partial class RecordingJson : JsonSerializerContext;
