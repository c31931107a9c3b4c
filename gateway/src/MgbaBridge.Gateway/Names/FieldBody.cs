using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Names;

/// <summary>A field of a struct.</summary>
public sealed record FieldBody : ShapeBody
{
    /// <summary>Its offset in bytes: 8 or `"0x8"`.</summary>
    [JsonConverter(typeof(OffsetConverter))]
    public required long At { get; init; }
}
