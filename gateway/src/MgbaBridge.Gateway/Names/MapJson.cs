using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Names;

/// <summary>The shapes of a property map. People write it, so comments and a comma too many are allowed, and a name given twice is not.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    ReadCommentHandling = JsonCommentHandling.Skip,
    AllowTrailingCommas = true,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UseStringEnumConverter = true)]
[JsonSerializable(typeof(MapBody))]
internal sealed partial class MapJson : JsonSerializerContext;
