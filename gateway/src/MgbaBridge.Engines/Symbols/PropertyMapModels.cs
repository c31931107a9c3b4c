using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Engines.Symbols;

/// <summary>A property map: what the values of a game are called, where they are and what they are.</summary>
public sealed record MapBody
{
    /// <summary>The game's CRC32 in hex, as `game.get` has it. Default: the open game.</summary>
    public string? Crc32 { get; init; }

    /// <summary>Text tables by name. `ascii` is always there.</summary>
    public Dictionary<string, TextTableBody>? TextTables { get; init; }

    /// <summary>Structs by name, which can be used as a type. A struct may contain structs defined before it.</summary>
    public Dictionary<string, StructBody>? Structs { get; init; }

    /// <summary>The properties by name, such as `player.hp`.</summary>
    public required Dictionary<string, PropertyBody> Properties { get; init; }

    /// <summary>A game pack: where the player is and can walk, who is there, text box, menus and milestones. Default: none.</summary>
    public GamePack? Pack { get; init; }
}

/// <summary>A value of the game.</summary>
public sealed record PropertyBody : ValueShape
{
    /// <summary>Where it is: an address, an offset in a domain, or a symbol, perhaps with an offset: `player+0x10`. With a chain: where the first pointer is.</summary>
    public required string At { get; init; }

    /// <summary>Pointers to be followed: at each step the pointer there is read and this is added. The last one gives the value's place.</summary>
    [JsonConverter(typeof(OffsetsConverter))]
    public IReadOnlyList<long>? Chain { get; init; }
}

/// <summary>A field of a struct.</summary>
public sealed record FieldBody : ValueShape
{
    /// <summary>Its offset in bytes: 8 or `"0x8"`.</summary>
    [JsonConverter(typeof(OffsetConverter))]
    public required long At { get; init; }
}

/// <summary>A struct: fields, each at its place.</summary>
public sealed record StructBody
{
    /// <summary>Its size in bytes. Default: up to the end of its last field.</summary>
    public int? Size { get; init; }

    /// <summary>The fields by name.</summary>
    public required Dictionary<string, FieldBody> Fields { get; init; }
}

/// <summary>The text that each byte represents.</summary>
public sealed record TextTableBody
{
    /// <summary>A byte in two hex digits, and its text: `{"BB": "A", "BC": "B"}`.</summary>
    public required Dictionary<string, string> Codes { get; init; }

    /// <summary>The byte that ends a text, in two hex digits.</summary>
    public string? End { get; init; }
}

/// <summary>The shapes of a property map. It is written by hand, so comments and trailing commas are allowed; duplicate names are not.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    ReadCommentHandling = JsonCommentHandling.Skip,
    AllowTrailingCommas = true,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UseStringEnumConverter = true,
    Converters = [typeof(ShortIntegerConverter)])]
[JsonSerializable(typeof(MapBody))]
internal sealed partial class MapJson : JsonSerializerContext;

/// <summary>An offset in JSON, which knows no hex: 8 or <c>"0x8"</c>.</summary>
public sealed class OffsetConverter : JsonConverter<long>
{
    private const string ExpectedFormat = "An offset is a number, such as 8, or hex in quotes, such as \"0x8\".";

    public override long Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.TokenType switch
    {
        JsonTokenType.Number when Integers.TryRead(ref reader, out var number) => number,
        JsonTokenType.String when reader.GetString() is ['0', 'x' or 'X', .. var digits]
            && uint.TryParse(digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number) => number,
        _ => throw new JsonValueException(ExpectedFormat),
    };

    public override void Write(Utf8JsonWriter writer, long value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}

/// <summary>A list of offsets in JSON.</summary>
public sealed class OffsetsConverter : JsonConverter<IReadOnlyList<long>>
{
    private static readonly OffsetConverter One = new();

    public override IReadOnlyList<long> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var offsets = new List<long>();
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonValueException("A list of offsets is expected, such as [8, 0].");
        }

        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            offsets.Add(One.Read(ref reader, typeof(long), options));
        }

        return offsets;
    }

    public override void Write(Utf8JsonWriter writer, IReadOnlyList<long> value, JsonSerializerOptions options)
    {
        writer.WriteStartArray();
        foreach (var offset in value)
        {
            writer.WriteNumberValue(offset);
        }

        writer.WriteEndArray();
    }
}
