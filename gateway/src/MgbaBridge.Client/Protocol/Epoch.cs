using System.Buffers;
using System.Buffers.Text;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Client.Protocol;

/// <summary>A random number that changes when the script or the game changes. Frame numbers are comparable only within one epoch.</summary>
/// <param name="Value">The number.</param>
[JsonConverter(typeof(EpochConverter))]
public readonly record struct Epoch(uint Value)
{
    /// <summary>How many hex digits its text has.</summary>
    public const int Digits = 8;

    /// <summary>Its eight hex digits.</summary>
    public override string ToString() => Value.ToString("x8", CultureInfo.InvariantCulture);

    /// <summary>Writes its eight hex digits.</summary>
    public void Format(Span<byte> text) => Utf8Formatter.TryFormat(Value, text, out _, new StandardFormat('x', Digits));

    /// <summary>Reads eight hex digits at the start of a text.</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, out Epoch epoch)
    {
        epoch = default;
        if (text.Length < Digits || !Utf8Parser.TryParse(text[..Digits], out uint value, out var used, 'x') || used != Digits)
        {
            return false;
        }

        epoch = new Epoch(value);
        return true;
    }
}

/// <summary>An epoch in JSON: eight hex digits.</summary>
internal sealed class EpochConverter : JsonConverter<Epoch>
{
    public override Epoch Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        uint.TryParse(reader.GetString(), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var epoch)
            ? new Epoch(epoch)
            : throw new JsonException("An epoch is eight hex digits.");

    public override void Write(Utf8JsonWriter writer, Epoch value, JsonSerializerOptions options)
    {
        Span<byte> text = stackalloc byte[Epoch.Digits];
        value.Format(text);
        writer.WriteStringValue(text);
    }
}
