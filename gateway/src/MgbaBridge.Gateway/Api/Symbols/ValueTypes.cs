using System.Globalization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Symbols;

namespace MgbaBridge.Gateway.Api.Symbols;

/// <summary>The type of a value as requests state it: <c>?type=u16&amp;count=10&amp;endian=big</c>, <c>?type=text&amp;length=16&amp;table=main</c>.</summary>
internal static class ValueTypes
{
    /// <summary>The query parameters besides <c>type</c>.</summary>
    public static Input[] Inputs { get; } =
    [
        new Input("count", "How many numbers side by side: the value is a list then.", "2") { IsInteger = true },
        new Input("endian", "The byte order: `little` or `big`.", "little"),
        new Input("length", "How many bytes a text has, or bytes are.", "16") { IsInteger = true },
        new Input("table", "A text table of the game's property map; `ascii` unless given.", "ascii"),
    ];

    /// <summary>Reads the fields from a query.</summary>
    public static T FromQuery<T>(HttpContext http, T request)
        where T : TypedRequest
    {
        var query = http.Request.Query;
        return request with
        {
            Type = query["type"],
            Count = Number("count"),
            Endian = query["endian"],
            Length = Number("length"),
            Table = query["table"],
        };

        // what is not an integer is refused with the limits
        int? Number(string name) => !query.ContainsKey(name) ? null
            : int.TryParse(query[name], NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : -1;
    }

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

        if (request.Endian is not (null or "" or "little" or "big"))
        {
            wrong = "endian is little or big.";
            return null;
        }

        var one = new ScalarType(number, request.Endian == "big" ? Endian.Big : Endian.Little);
        wrong = $"count is 1 to {NameLimits.Parts}.";
        return request.Count is not { } count ? one : count is > 0 and <= NameLimits.Parts ? new ArrayType(one, count) : null;
    }

    /// <summary>Whether the type depends on the property map of the game.</summary>
    public static bool NeedsMap(TypedRequest request) => request.Table is not (null or "" or "ascii");

    private static TextTable? TableOf(TypedRequest request, PropertyMap? map, out string wrong)
    {
        wrong = $"There is no text table {request.Table}. A property map brings them (PUT /v2/properties).";
        return NeedsMap(request) ? map?.TextTables.GetValueOrDefault(request.Table!) : TextTable.Ascii;
    }
}
