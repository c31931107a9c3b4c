using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Names;

/// <summary>A list of offsets in JSON.</summary>
public sealed class OffsetsConverter : JsonConverter<IReadOnlyList<long>>
{
    private static readonly OffsetConverter One = new();

    /// <inheritdoc/>
    public override IReadOnlyList<long> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var offsets = new List<long>();
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException("A list of offsets is expected, such as [8, 0].");
        }

        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            offsets.Add(One.Read(ref reader, typeof(long), options));
        }

        return offsets;
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, IReadOnlyList<long> value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (var offset in value)
        {
            writer.WriteNumberValue(offset);
        }

        writer.WriteEndArray();
    }
}
