using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Json;

/// <summary>A place in memory in JSON: <c>"0x02000000"</c> or <c>"wram:0x10"</c>.</summary>
public sealed class LocationConverter : JsonConverter<Location>
{
    public override Location Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        Location.TryParse(reader.GetString(), out var location) ? location : throw new JsonException(Location.ExpectedFormat);

    public override void Write(Utf8JsonWriter writer, Location value, JsonSerializerOptions options)
    {
        Span<byte> text = stackalloc byte[Location.MaxText];
        writer.WriteStringValue(text[..value.Format(text)]);
    }
}

/// <summary>Keys in JSON: <c>["A", "Up"]</c>; <c>"A+Up"</c> is taken too.</summary>
public sealed class KeySetConverter : JsonConverter<KeySet>
{
    private const int MaxName = 16;
    private const int MaxQuoted = 64;

    public override KeySet Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            return KeySet.TryParse(reader.GetString(), out var written) ? written : throw Unknown(ref reader);
        }

        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonException(KeySet.ExpectedFormat);
        }

        var keys = default(KeySet);
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (!TryAdd(ref keys, ref reader))
            {
                throw reader.TokenType == JsonTokenType.String ? Unknown(ref reader) : new JsonException(KeySet.ExpectedFormat);
            }
        }

        return keys;
    }

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
        Span<char> name = stackalloc char[MaxName];

        // a name may lie in several segments of a long body
        var length = reader.HasValueSequence ? reader.ValueSequence.Length : reader.ValueSpan.Length;
        return reader.TokenType == JsonTokenType.String && length <= MaxName && KeySet.TryAdd(ref keys, name[..reader.CopyString(name)]);
    }

    private static JsonException Unknown(ref Utf8JsonReader reader)
    {
        var text = reader.GetString()!;
        return new JsonException(text.Length <= MaxQuoted ? $"\"{text}\" is not a key. {KeySet.ExpectedFormat}" : $"A text of {text.Length} characters is not a key. {KeySet.ExpectedFormat}");
    }
}

/// <summary>A number's type in JSON: <c>"u16"</c>.</summary>
public sealed class NumberTypeConverter() : JsonStringEnumConverter<NumberType>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>The order of bytes in JSON: <c>"little"</c>.</summary>
public sealed class EndianConverter() : JsonStringEnumConverter<Endian>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>A state in JSON: <c>"script-missing"</c>.</summary>
public sealed class StateConverter() : JsonStringEnumConverter<EmulatorState>(Policy, allowIntegerValues: false)
{
    /// <summary>How the names of states are written.</summary>
    internal static JsonNamingPolicy Policy => JsonNamingPolicy.KebabCaseLower;
}

/// <summary>Numbers that are shown in hexadecimal: checksums and addresses.</summary>
internal static class Hex
{
    private const string Prefix = "0x";
    private const string Digits = "X8";

    /// <summary>A number of 32 bits as text, such as <c>0x5C2A19B4</c>.</summary>
    public static string Of(long number) => Prefix + number.ToString(Digits, CultureInfo.InvariantCulture);
}
