using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A place in memory in JSON: <c>"0x02000000"</c> or <c>"wram:0x10"</c>.</summary>
public sealed class LocationConverter : JsonConverter<Location>
{
    /// <inheritdoc/>
    public override Location Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        Location.TryParse(reader.GetString(), out var location) ? location : throw new JsonException(MemoryEndpoints.LocationForms);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Location value, JsonSerializerOptions options)
    {
        Span<byte> text = stackalloc byte[Location.LongestText];
        writer.WriteStringValue(text[..value.Format(text)]);
    }
}
