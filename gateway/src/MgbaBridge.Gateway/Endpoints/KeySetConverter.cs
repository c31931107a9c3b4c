using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Keys in JSON: <c>["A", "Up"]</c>; <c>"A+Up"</c> is taken too.</summary>
public sealed class KeySetConverter : JsonConverter<KeySet>
{
    private const int LongestName = 16;

    /// <inheritdoc/>
    public override KeySet Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            return KeySet.TryParse(reader.GetString(), out var written) ? written : throw Unknown(ref reader);
        }

        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException(KeySet.Forms);
        }

        var keys = default(KeySet);
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (!TryAdd(ref keys, ref reader))
            {
                throw reader.TokenType == JsonTokenType.String ? Unknown(ref reader) : new JsonException(KeySet.Forms);
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

    // no text is made of a name: steps of a lease say theirs thousands of times a second
    private static bool TryAdd(ref KeySet keys, ref Utf8JsonReader reader)
    {
        Span<char> name = stackalloc char[LongestName];
        return reader.TokenType == JsonTokenType.String && reader.ValueSpan.Length <= LongestName && KeySet.TryAdd(ref keys, name[..reader.CopyString(name)]);
    }

    private static JsonException Unknown(ref Utf8JsonReader reader) => new($"\"{reader.GetString()}\" is no key. {KeySet.Forms}");
}
