using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>An epoch in JSON: a string of eight hex digits.</summary>
public sealed class EpochConverter : JsonConverter<uint>
{
    private const int Digits = 8;

    /// <inheritdoc/>
    public override uint Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        uint.TryParse(reader.GetString(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var epoch)
            ? epoch
            : throw new JsonException("An epoch is eight hex digits.");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, uint value, JsonSerializerOptions options)
    {
        Span<byte> text = stackalloc byte[Digits];
        Utf8Formatter.TryFormat(value, text, out _, new StandardFormat('x', Digits));
        writer.WriteStringValue(text);
    }
}
