using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Keys in JSON: <c>["A", "Up"]</c>; <c>"A+Up"</c> is taken too.</summary>
public sealed class KeySetConverter : JsonConverter<KeySet>
{
    /// <inheritdoc/>
    public override KeySet Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            return KeySet.TryParse(reader.GetString(), out var written) ? written : throw Unknown(reader.GetString());
        }

        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException(KeySet.Forms);
        }

        var keys = default(KeySet);
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (reader.TokenType != JsonTokenType.String || !KeySet.TryAdd(ref keys, reader.GetString()))
            {
                throw reader.TokenType == JsonTokenType.String ? Unknown(reader.GetString()) : new JsonException(KeySet.Forms);
            }
        }

        return keys;
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, KeySet value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        for (var key = 0; key < KeySet.Names.Length; key++)
        {
            if (((value.Mask >> key) & 1) != 0)
            {
                writer.WriteStringValue(KeySet.Names[key]);
            }
        }

        writer.WriteEndArray();
    }

    private static JsonException Unknown(string? text) => new($"\"{text}\" is no key. {KeySet.Forms}");
}
