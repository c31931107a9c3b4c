using System.Globalization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>What a value is, as a query says it: <c>?type=u16&amp;count=10&amp;endian=big</c>, <c>?type=text&amp;length=16&amp;table=main</c>.</summary>
internal static class ValueTypeQuery
{
    /// <summary>Says how many numbers.</summary>
    public static Input Count { get; } = new("count", "How many numbers side by side: the value is a list then.", "2") { IsInteger = true };

    /// <summary>Says how a number's bytes are ordered.</summary>
    public static Input Endian { get; } = new("endian", "The byte order: `little` or `big`.", "little");

    /// <summary>Says how long a text is.</summary>
    public static Input Length { get; } = new("length", "How many bytes a text has, or bytes are.", "16") { IsInteger = true };

    /// <summary>Decodes the bytes of a text.</summary>
    public static Input Table { get; } = new("table", "A text table of the game's property map; `ascii` unless given.", "ascii");

    /// <summary>Reads it, or says what is wrong.</summary>
    public static IValueType? Read(HttpContext http, string type, PropertyMap? map, out string wrong)
    {
        var query = http.Request.Query;
        wrong = "";
        if (type is "text" or "bytes")
        {
            var most = type == "text" ? NameLimits.Text : NameLimits.Value;
            wrong = $"Say how many bytes, 1 to {most}: ?length=16";
            if (!TryNumber(query["length"], out var length) || length > most)
            {
                return null;
            }

            return type == "bytes" ? new BytesType(length) : TableOf(query["table"], map, out wrong) is { } table ? new TextType(length, table) : null;
        }

        if (!NumberTypes.TryParse(type, out var number))
        {
            wrong = "type is u8, s8, u16, s16, u32, s32, text or bytes.";
            return null;
        }

        if (query["endian"].ToString() is not ("" or "little" or "big"))
        {
            wrong = "endian is little or big.";
            return null;
        }

        var form = new ScalarType(number, query["endian"] == "big" ? Commands.Endian.Big : Commands.Endian.Little);
        wrong = $"count is 1 to {NameLimits.Parts}.";
        return !query.ContainsKey("count") ? form : TryNumber(query["count"], out var count) && count <= NameLimits.Parts ? new ArrayType(form, count) : null;
    }

    private static TextTable? TableOf(string? name, PropertyMap? map, out string wrong)
    {
        wrong = $"There is no text table {name}. A property map brings them (PUT /v2/properties).";
        return string.IsNullOrEmpty(name) || name == "ascii" ? TextTable.Ascii : map?.TextTables.GetValueOrDefault(name);
    }

    private static bool TryNumber(string? text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number is > 0 and <= NameLimits.Value;
}
