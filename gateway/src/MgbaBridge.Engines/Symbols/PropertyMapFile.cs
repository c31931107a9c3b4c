using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Reads a property map and checks all of it, so that what is loaded can be used.</summary>
public static class PropertyMapFile
{
    /// <summary>Reads it.</summary>
    /// <exception cref="NameFormatException">It is wrong, with line and column.</exception>
    public static PropertyMap Read(ReadOnlySpan<byte> json)
    {
        json = SymbolFile.Utf8Of(json);

        // the reader of JSON throws something else for it
        if (!Utf8.IsValid(json))
        {
            Utf8.ToUtf16(json, new char[json.Length], out var valid, out _, replaceInvalidSequences: false);
            throw NameFormatException.At(json, valid, "This is no UTF-8. Save the file in this encoding.");
        }

        var body = Parse(json);
        var crc32 = default(uint?);
        if (body.Crc32 is { } text)
        {
            crc32 = TryCrc32(text, out var known) ? known : throw Wrong(json, "crc32 has eight hex digits, such as \"0x52258CD4\".", "crc32");
        }

        CheckCounts(json, body);
        var tables = new Dictionary<string, TextTable> { [TextTable.AsciiName] = TextTable.Ascii };
        foreach (var (name, table) in body.TextTables ?? [])
        {
            CheckName(json, name, "textTables", name);
            tables[name] = TableOf(json, name, table ?? throw Wrong(json, JsonMistake.Null, "textTables", name));
        }

        var structs = new Dictionary<string, IValueType>();
        foreach (var (name, one) in body.Structs ?? [])
        {
            CheckName(json, name, "structs", name);
            structs[name] = StructOf(json, name, one ?? throw Wrong(json, JsonMistake.Null, "structs", name), tables, structs);
        }

        var properties = body.Properties.Select(property => PropertyOf(property.Key, property.Value, tables, structs)).ToList();
        for (var index = 0; index < properties.Count; index++)
        {
            if (properties[index].Wrong is { } wrong)
            {
                throw Wrong(json, wrong.Reason, "properties", body.Properties.ElementAt(index).Key, wrong.Field);
            }
        }

        if (body.Pack?.Mistake() is { } mistake)
        {
            throw Wrong(json, mistake.Reason, ["pack", .. mistake.Path]);
        }

        return new PropertyMap(crc32, [.. properties.Select(property => property.Property!)], tables, body.Pack, MemoryOf(body));
    }

    /// <summary>Reads <c>0x52258CD4</c> or <c>52258cd4</c>.</summary>
    public static bool TryCrc32(ReadOnlySpan<char> text, out uint crc32)
    {
        text = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase) ? text[2..] : text;
        return uint.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out crc32) && text.Length == 8;
    }

    private static MapBody Parse(ReadOnlySpan<byte> json)
    {
        json = json.StartsWith(Encoding.UTF8.Preamble) ? json[Encoding.UTF8.Preamble.Length..] : json;
        try
        {
            return JsonSerializer.Deserialize(json, MapJson.Default.MapBody) ?? throw new NameFormatException(1, 1, "The file is null.");
        }
        catch (JsonException exception)
        {
            throw new NameFormatException(
                (exception.LineNumber ?? 0) + 1, (exception.BytePositionInLine ?? 0) + 1, JsonMistake.Of(exception, json, MapJson.Default.MapBody));
        }
    }

    private static void CheckCounts(ReadOnlySpan<byte> json, MapBody body)
    {
        if (body.TextTables?.Count > NameLimits.Tables)
        {
            throw Wrong(json, $"There are {body.TextTables.Count} text tables; the limit is {NameLimits.Tables}.", "textTables");
        }

        var shapes = (body.Structs?.Count ?? 0) + (body.Structs?.Values.Sum(one => (long)(one?.Fields.Count ?? 0)) ?? 0);
        if (shapes > NameLimits.Properties)
        {
            throw Wrong(json, $"There are {shapes} structs and fields; the limit is {NameLimits.Properties}.", "structs");
        }

        if (body.Properties.Count > NameLimits.Properties)
        {
            throw Wrong(json, $"There are {body.Properties.Count} properties; the limit is {NameLimits.Properties}.", "properties");
        }
    }

    private static void CheckName(ReadOnlySpan<byte> json, string name, params ReadOnlySpan<string> path)
    {
        if (name.Length > NameLimits.PropertyName)
        {
            throw NameFormatException.At(json, JsonPosition.Of(json, path), $"{path[0]}: A name has {name.Length} characters; the limit is {NameLimits.PropertyName}.");
        }
    }

    // about what it takes when it is loaded
    private static long MemoryOf(MapBody body)
    {
        const int StructBytes = 512;
        const int Table = 16_384;
        var fields = body.Structs?.Values.Sum(one => StructBytes + one.Fields.Sum(field => StructBytes + (sizeof(char) * (long)field.Key.Length))) ?? 0;
        return (Table * (long)(body.TextTables?.Count ?? 0)) + fields + body.Properties.Sum(property => StructBytes + (sizeof(char) * (long)(property.Key.Length + property.Value!.At.Length)));
    }

    private static TextTable TableOf(ReadOnlySpan<byte> json, string name, TextTableBody body)
    {
        var codes = new Dictionary<byte, string>();
        foreach (var (code, text) in body.Codes)
        {
            codes[TryByte(code, out var number) ? number : throw Wrong(json, "A code is two hex digits, such as \"BB\".", "textTables", name, "codes", code)]
                = text ?? throw Wrong(json, JsonMistake.Null, "textTables", name, "codes", code);
            if (text.Length > NameLimits.CodeText)
            {
                throw Wrong(json, $"A byte represents {text.Length} characters; the limit is {NameLimits.CodeText}.", "textTables", name, "codes", code);
            }
        }

        var end = default(byte?);
        if (body.End is { } last)
        {
            end = TryByte(last, out var number) ? number : throw Wrong(json, "end is two hex digits, such as \"FF\".", "textTables", name, "end");
        }

        return new TextTable(codes, end);
    }

    private static StructType StructOf(
        ReadOnlySpan<byte> json, string name, StructBody body, Dictionary<string, TextTable> tables, Dictionary<string, IValueType> structs)
    {
        if (body.Size is < 0 or > NameLimits.Value)
        {
            throw Wrong(json, $"size is 1 to {NameLimits.Value} bytes.", "structs", name, "size");
        }

        var fields = new Dictionary<string, StructField>();
        foreach (var (field, shape) in body.Fields)
        {
            CheckName(json, field, "structs", name, "fields", field);
            if ((shape ?? throw Wrong(json, JsonMistake.Null, "structs", name, "fields", field)).Resolve(tables, structs, out var wrong) is not { } type)
            {
                throw Wrong(json, wrong.Reason, "structs", name, "fields", field, wrong.Member);
            }

            if (shape.At < 0 || shape.At > (body.Size ?? NameLimits.Value) - type.Size)
            {
                throw Wrong(json, $"at is 0 to {(body.Size ?? NameLimits.Value) - type.Size}: the field must be inside the struct.", "structs", name, "fields", field, "at");
            }

            fields[field] = new StructField((int)shape.At, type);
        }

        if (body.Size is 0 || fields.Count == 0)
        {
            throw Wrong(json, "A struct has a field or more.", "structs", name, "fields");
        }

        var made = new StructType(body.Size ?? fields.Values.Max(field => field.At + field.Type.Size), fields);
        return made.Cost.Excess is { } excess ? throw Wrong(json, excess, "structs", name) : made;
    }

    private static (GameProperty? Property, (string Field, string Reason)? Wrong) PropertyOf(
        string name, PropertyBody? body, Dictionary<string, TextTable> tables, Dictionary<string, IValueType> structs)
    {
        if (name.Length is 0 or > NameLimits.PropertyName || name.Contains('/', StringComparison.Ordinal))
        {
            return (null, ("", $"A name has 1 to {NameLimits.PropertyName} characters, and no / among them."));
        }

        if (body is null)
        {
            return (null, ("", JsonMistake.Null));
        }

        if (!ValueLocation.TryParse(body.At, out var at))
        {
            return (null, ("at", ValueLocation.ExpectedFormat));
        }

        if (body.Chain?.Count > NameLimits.Chain)
        {
            return (null, ("chain", $"A chain has at most {NameLimits.Chain} steps."));
        }

        return body.Resolve(tables, structs, out var wrong) is { } type ? (new GameProperty(name, at, body.Chain ?? [], type), null) : (null, wrong);
    }

    private static bool TryByte(string text, out byte number) =>
        byte.TryParse(text, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out number) && text.Length == 2;

    private static NameFormatException Wrong(ReadOnlySpan<byte> json, string reason, params ReadOnlySpan<string> path)
    {
        var place = string.Join('.', path.ToArray().Where(step => step.Length > 0));
        return NameFormatException.At(json, JsonPosition.Of(json, path), $"{place}: {reason}");
    }
}
