using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>What a value is, as property maps and requests state it.</summary>
public record ValueShape
{
    // for error messages: a map may have thousands of structs
    private const int ShownStructs = 10;

    /// <summary>The types that every game has.</summary>
    public static IReadOnlyList<string> Types { get; } = [.. NumberTypes.Names, "text", "bytes"];

    /// <summary>u8, s8, u16, s16, u32, s32, text, bytes, or the name of a struct.</summary>
    public required string Type { get; init; }

    /// <summary>The number of elements of a list. Default: a single value, not a list.</summary>
    public int? Count { get; init; }

    /// <summary>How many bytes a text has, or bytes are.</summary>
    public int? Length { get; init; }

    /// <summary>Which byte of a number comes first: little unless given, or big.</summary>
    public Endian? Endian { get; init; }

    /// <summary>The text table of a text: `ascii` unless given.</summary>
    public string? Table { get; init; }

    /// <summary>The type, or null with what is wrong with which member.</summary>
    /// <param name="tables">The text tables; null for `ascii` alone.</param>
    /// <param name="structs">The structs; null for none.</param>
    /// <param name="wrong">What is wrong.</param>
    public IValueType? Resolve(IReadOnlyDictionary<string, TextTable>? tables, IReadOnlyDictionary<string, IValueType>? structs, out (string Member, string Reason) wrong)
    {
        var table = TextTable.Ascii;
        wrong = this switch
        {
            { Type: "text", Length: not (> 0 and <= NameLimits.Text) } => ("length", $"length is 1 to {NameLimits.Text} bytes."),
            { Type: "bytes", Length: not (> 0 and <= NameLimits.Value) } => ("length", $"length is 1 to {NameLimits.Value} bytes."),
            { Type: not ("text" or "bytes"), Length: not null } => ("length", "Only text and bytes have a length; a list has a count."),
            { Type: not "text", Table: not null } => ("table", "Only text has a text table."),
            { Table: { } name } when !(tables is null ? name == TextTable.AsciiName : tables.TryGetValue(name, out table!)) => ("table", $"There is no text table {name}; a property map brings them."),
            { Count: not (null or > 0) } => ("count", "count is 1 or more."),
            _ => default,
        };
        if (wrong.Reason is not null)
        {
            return null;
        }

        var one = Type switch
        {
            "text" => new TextType(Length!.Value, table),
            "bytes" => new BytesType(Length!.Value),
            _ when NumberTypes.TryParse(Type, out var number) => new ScalarType(number, Endian.GetValueOrDefault()),
            _ => structs?.GetValueOrDefault(Type),
        };
        if (one is null)
        {
            wrong = ("type", $"type is {Expected(structs)}.");
            return null;
        }

        if (Count * (long)one.Size > NameLimits.Value)
        {
            wrong = ("count", $"A value has at most {NameLimits.Value} bytes.");
            return null;
        }

        var type = Count is { } count ? new ArrayType(one, count) : one;
        wrong = (Count is null ? "type" : "count", type.Cost.Excess!);
        return wrong.Reason is null ? type : null;
    }

    private static string Expected(IReadOnlyDictionary<string, IValueType>? structs) => structs is null
        ? $"{string.Join(", ", Types.SkipLast(1))} or {Types[^1]}"
        : $"{string.Join(", ", Types)} or a struct defined before it: {string.Join(", ", structs.Keys.Take(ShownStructs))}{(structs.Count > ShownStructs ? ", …" : "")}";
}
