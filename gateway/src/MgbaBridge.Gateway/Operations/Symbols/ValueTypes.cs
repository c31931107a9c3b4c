using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>The type of a value as requests state it: <c>?type=u16&amp;count=10&amp;endian=big</c>, <c>?type=text&amp;length=16&amp;table=main</c>.</summary>
internal static class ValueTypes
{
    /// <summary>The value that is written.</summary>
    public static Parameter<JsonElement> Value { get; } = Parameter.Json<JsonElement>("value", "a number, a text, a list, or bytes in base64", SymbolJson.Default, "The value: a number, a text, a list, or bytes in base64.");

    /// <summary>What it is.</summary>
    public static Parameter<string> Type { get; } = Parameter.OneOf("type", "What it is.", "u8", "s8", "u16", "s16", "u32", "s32", "text", "bytes") with { Example = "u16" };

    /// <summary>How many numbers.</summary>
    public static Parameter<int?> Count { get; } = Parameter.Integer("count", 1, NameLimits.Parts, "How many numbers side by side: the value is a list then.").Optional() with { Example = "2" };

    /// <summary>The byte order.</summary>
    public static Parameter<string?> Endian { get; } = Parameter.OneOf("endian", "The byte order of numbers; little unless given.", "little", "big").Optional();

    /// <summary>How many bytes.</summary>
    public static Parameter<int?> Length { get; } = Parameter.Integer("length", 1, Math.Max(NameLimits.Text, NameLimits.Value), "How many bytes a text has, or bytes are.").Optional() with { Example = "16" };

    /// <summary>How texts are encoded.</summary>
    public static Parameter<string?> Table { get; } = Parameter.Text("table", "A text table of the game's property map; `ascii` unless given.").Optional() with { Example = "ascii" };

    /// <summary>The type, or null with what is wrong.</summary>
    public static IValueType? Read(TypedRequest request, string? type, PropertyMap? map, out string wrong)
    {
        if (type is "text" or "bytes")
        {
            var max = type == "text" ? NameLimits.Text : NameLimits.Value;
            wrong = $"length is the number of bytes, 1 to {max}, as in ?length=16.";
            return request.Length is not { } length || length < 1 || length > max ? null
                : type == "bytes" ? new BytesType(length)
                : TableOf(request, map, out wrong) is { } table ? new TextType(length, table) : null;
        }

        if (!NumberTypes.TryParse(type, out var number))
        {
            wrong = "type is u8, s8, u16, s16, u32, s32, text or bytes.";
            return null;
        }

        var one = new ScalarType(number, request.Endian == "big" ? Client.Commands.Endian.Big : Client.Commands.Endian.Little);
        wrong = "";
        return request.Count is { } count ? new ArrayType(one, count) : one;
    }

    /// <summary>Whether the type depends on the property map of the game.</summary>
    public static bool NeedsMap(TypedRequest request) => request.Table is not (null or "" or "ascii");

    private static TextTable? TableOf(TypedRequest request, PropertyMap? map, out string wrong)
    {
        wrong = $"There is no text table {request.Table}. A property map brings them (PUT /v2/properties).";
        return NeedsMap(request) ? map?.TextTables.GetValueOrDefault(request.Table!) : TextTable.Ascii;
    }
}
