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
    public static Parameter<string> Type { get; } = Parameter.OneOf("type", "What it is.", ValueShape.Types) with { Example = "u16" };

    /// <summary>How many numbers.</summary>
    public static Parameter<int?> Count { get; } = Parameter.Integer("count", 1, NameLimits.Parts, "How many numbers side by side: the value is a list then.").Optional() with { Example = "2" };

    /// <summary>The byte order.</summary>
    public static Parameter<Endian?> Endian { get; } = Parameter.Choice<Endian>("endian", "The byte order of numbers.").Optional("little");

    /// <summary>How many bytes.</summary>
    public static Parameter<int?> Length { get; } = Parameter.Integer("length", 1, Math.Max(NameLimits.Text, NameLimits.Value), "How many bytes a text has, or bytes are.").Optional();

    /// <summary>How texts are encoded.</summary>
    public static Parameter<string?> Table { get; } = Parameter.Text("table", "A text table of the game's property map; `ascii` unless given.").Optional();

    /// <summary>What a request states of a value; without a type, the size of a symbol tells it.</summary>
    public static ValueShape Shape(string? type, int? count, Endian? endian, int? length, string? table) =>
        new() { Type = type ?? "", Count = count, Endian = endian, Length = length, Table = table };

    /// <summary>Whether the type depends on the property map of the game.</summary>
    public static bool NeedsMap(ValueShape shape) => shape.Table is not (null or TextTable.AsciiName);
}
