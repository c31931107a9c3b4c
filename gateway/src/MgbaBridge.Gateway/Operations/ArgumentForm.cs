using System.Buffers;
using System.Globalization;
using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations;

/// <summary>
/// Arguments as language models write them: a text where a number or a list is meant, a list where a text is meant, JSON inside of a text. What a parameter says of
/// its values decides what is meant; what means nothing stays as it is, for the parameter to refuse.
/// </summary>
internal static class ArgumentForm
{
    // a comma inside of these does not separate items
    private const string Open = "([{<";
    private const string Close = ")]}>";

    /// <summary>Whether an argument says that none is given.</summary>
    public static bool IsAbsent(JsonElement value, Parameter parameter) => value.ValueKind == JsonValueKind.Null
        || (value.ValueKind == JsonValueKind.String && !parameter.IsRequired && value.ValueEquals("") && (parameter.Shape.JsonType != "string" || parameter.Shape.MinLength > 0));

    /// <summary>An argument as the text, or else as the JSON value, that a parameter reads.</summary>
    public static (string? Text, JsonElement Json) Of(JsonElement value, ParameterShape shape) => (value.ValueKind, shape.JsonType) switch
    {
        (JsonValueKind.String, "integer") => (Decimal(value.GetString()!), value),
        (JsonValueKind.String, "number" or "boolean") => (value.GetString(), value),
        (JsonValueKind.String, "array" or "object") when ParsedOf(value.GetString()!, shape.JsonType) is { } parsed => (null, parsed),
        (JsonValueKind.String, "array") when shape is { Items: null, ItemType: "string" } => (null, ListOf(value.GetString()!, shape)),
        (JsonValueKind.Array, "array") when shape is { Items: null, ItemType: "string" } => (null, ListOf(value.EnumerateArray().Select(TextOf))),
        (JsonValueKind.Object, "array") when shape.Items is not null => (null, JsonElement.Parse($"[{value.GetRawText()}]")),
        (JsonValueKind.Array, "string") when shape.Separator is { } separator && Joined(value, separator) is { } joined => (null, Written(writer => writer.WriteStringValue(joined))),
        (JsonValueKind.Array or JsonValueKind.Object, "string") when shape.TakesJson => (value.GetRawText(), value),
        (JsonValueKind.Number or JsonValueKind.True or JsonValueKind.False, "string") => (value.GetRawText(), value),
        _ => (null, value),
    };

    /// <summary>An argument that would work, as JSON; null where none is known.</summary>
    public static string? Example(Parameter parameter)
    {
        var shape = parameter.Shape;
        var text = parameter.Example ?? (shape.Choices.Count > 0 ? shape.Choices[0] : shape.Default ?? shape.Min?.ToString(CultureInfo.InvariantCulture));
        return (shape.JsonType, text) switch
        {
            ("boolean", _) => "true",
            (_, null) or ("object", _) => null,
            ("array", _) => shape.Items is null ? $"[{Quoted(text)}]" : null,
            ("string", _) => Quoted(text),
            _ => text,
        };
    }

    // 0x10 is 16
    private static string Decimal(string text) =>
        text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) && Integers.TryParse(text, out var number) ? number.ToString(CultureInfo.InvariantCulture) : text;

    private static JsonElement? ParsedOf(string text, string type)
    {
        if (!text.AsSpan().TrimStart().StartsWith(type == "array" ? "[" : "{"))
        {
            return null;
        }

        try
        {
            return JsonElement.Parse(text);
        }
        catch (JsonException)
        {
            return null;
        }
    }

    private static string TextOf(JsonElement item) => item.ValueKind == JsonValueKind.String ? item.GetString()! : item.GetRawText();

    // of lists in the list the items belong together
    private static string? Joined(JsonElement list, string separator) => list.EnumerateArray().Any(static item => item.ValueKind == JsonValueKind.Object)
        ? null
        : string.Join(separator, list.EnumerateArray().Select(static item => item.ValueKind == JsonValueKind.Array ? string.Join('+', item.EnumerateArray().Select(TextOf)) : TextOf(item)));

    // of choices any separator will do, since none is in them
    private static JsonElement ListOf(string text, ParameterShape shape) =>
        ListOf(shape.Choices.Count > 0 ? text.Split([',', ' ', '+'], StringSplitOptions.RemoveEmptyEntries) : Items(text).Select(static item => item.Trim()).Where(static item => item.Length > 0));

    private static IEnumerable<string> Items(string text)
    {
        var (start, depth) = (0, 0);
        for (var at = 0; at < text.Length; at++)
        {
            depth += Open.Contains(text[at], StringComparison.Ordinal) ? 1 : Close.Contains(text[at], StringComparison.Ordinal) ? -1 : 0;
            if (text[at] == ',' && depth == 0)
            {
                yield return text[start..at];
                start = at + 1;
            }
        }

        yield return text[start..];
    }

    private static JsonElement ListOf(IEnumerable<string> items) => Written(writer =>
    {
        writer.WriteStartArray();
        foreach (var item in items)
        {
            writer.WriteStringValue(item);
        }

        writer.WriteEndArray();
    });

    private static string Quoted(string text) => Written(writer => writer.WriteStringValue(text)).GetRawText();

    private static JsonElement Written(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, new JsonWriterOptions { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            write(writer);
        }

        return JsonElement.Parse(buffer.WrittenSpan);
    }
}
