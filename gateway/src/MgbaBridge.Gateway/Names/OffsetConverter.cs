using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Names;

/// <summary>An offset in JSON, which knows no hex: 8 or <c>"0x8"</c>.</summary>
public sealed class OffsetConverter : JsonConverter<long>
{
    private const string Forms = "An offset is a number, such as 8, or hex in quotes, such as \"0x8\".";

    /// <inheritdoc/>
    public override long Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.TokenType switch
    {
        JsonTokenType.Number when reader.TryGetInt64(out var number) => number,
        JsonTokenType.String when reader.GetString() is ['0', 'x' or 'X', .. var digits]
            && uint.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number) => number,
        _ => throw new JsonException(Forms),
    };

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, long value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}
