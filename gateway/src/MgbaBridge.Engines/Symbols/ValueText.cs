using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Values as text: a number such as 12 or 0xC, a text without quotes, hex digits for bytes, JSON for lists and objects.</summary>
public static class ValueText
{
    /// <summary>Puts a value into these bytes, all of them. Returns what is wrong with it, or null.</summary>
    public static string? WriteText(this IValueType type, string text, Span<byte> bytes)
    {
        if (type is BytesType)
        {
            return text.Length == bytes.Length * 2 && Convert.FromHexString(text, bytes, out _, out _) == System.Buffers.OperationStatus.Done
                ? null
                : $"The value has to be {bytes.Length} bytes as {bytes.Length * 2} hex digits.";
        }

        var json = type is TextType ? $"\"{JsonEncodedText.Encode(text)}\""
            : type is ScalarType && Integers.TryParse(text, out var number) ? FormattableString.Invariant($"{number}")
            : text;
        try
        {
            using var document = JsonDocument.Parse(json);
            return type.Write(document.RootElement, bytes);
        }
        catch (JsonException)
        {
            return $"\"{(text.Length <= 80 ? text : text[..80])}\" is no value of type {type.Kind}.";
        }
    }
}
