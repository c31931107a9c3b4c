using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Symbols;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Symbols;

/// <summary>The symbols of the game.</summary>
/// <param name="Frame">The script's frame count when the game was asked for.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Crc32">The game's checksum.</param>
/// <param name="Format">What file they came from: elf, map, sym or noi; omitted when there are none.</param>
/// <param name="Count">How many there are in all, or how many have the text that was asked for.</param>
/// <param name="LeftOut">What the file has besides; omitted when there are none.</param>
/// <param name="Next">The `offset` of the next page, if there is one.</param>
/// <param name="Symbols">Some of them, by place; constants behind them, by name.</param>
public sealed record SymbolsAnswer(
    long Frame,
    Epoch Epoch,
    string Crc32,
    string? Format,
    int Count,
    IReadOnlyList<LeftOutAnswer>? LeftOut,
    int? Next,
    IReadOnlyList<SymbolAnswer> Symbols);

/// <summary>What a file has besides the symbols that were taken.</summary>
/// <param name="What">What it is.</param>
/// <param name="Count">How many there are.</param>
public readonly record struct LeftOutAnswer(string What, int Count);

/// <summary>A symbol.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Location">Where it is; omitted for a constant.</param>
/// <param name="Size">How many bytes it has, if that is known.</param>
/// <param name="Value">The value of a constant, which is no place in memory; else omitted.</param>
public readonly record struct SymbolAnswer(string Name, [property: JsonConverter(typeof(LocationConverter))] Location? Location, long? Size, long? Value);

/// <summary>The properties of the game.</summary>
/// <param name="Frame">The script's frame count when the game was asked for.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Crc32">The game's checksum.</param>
/// <param name="Properties">All of them, in the order of the map.</param>
public sealed record PropertiesAnswer(
    long Frame,
    Epoch Epoch,
    string Crc32,
    IReadOnlyList<PropertyAnswer> Properties);

/// <summary>A property.</summary>
/// <param name="Name">Its name.</param>
/// <param name="At">Where it is, or the first pointer of its chain.</param>
/// <param name="Type">What it is.</param>
/// <param name="Chain">What is added to each pointer, if any are followed.</param>
public readonly record struct PropertyAnswer(string Name, string At, string Type, IReadOnlyList<long>? Chain);

/// <summary>A value with a name.</summary>
/// <param name="Name">The name.</param>
/// <param name="Location">Where it was found; omitted where a pointer of its chain is 0, and for a constant.</param>
/// <param name="Value">A number, a text, a list, or an object; bytes in base64. Omitted where a pointer of its chain is 0.</param>
public readonly record struct NamedAnswer(
    string Name, [property: JsonConverter(typeof(LocationConverter))] Location? Location, JsonNode? Value)
{
    /// <summary>The answer made from what was found.</summary>
    internal static NamedAnswer Of(NamedValue found) =>
        new(found.Property.Name, found.Location, !found.IsKnown ? null : found.Property.Type.Read(found.Bytes.Span));
}

/// <summary>A value with a name.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Name">The name.</param>
/// <param name="Location">Where it was found; omitted where a pointer of its chain is 0.</param>
/// <param name="Value">A number, a text, a list, or an object; bytes in base64. Omitted where a pointer of its chain is 0.</param>
public readonly record struct ValueAnswer(
    long Frame,
    Epoch Epoch,
    string Name,
    [property: JsonConverter(typeof(LocationConverter))] Location? Location,
    JsonNode? Value);

/// <summary>Values with names, all from one frame.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Values">The values, in the order that was asked for.</param>
public readonly record struct ValuesAnswer(
    long Frame,
    Epoch Epoch,
    IReadOnlyList<NamedAnswer> Values);

/// <summary>A value of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it was read.</param>
/// <param name="Value">A number, a text, a list of numbers, or bytes in base64.</param>
public readonly record struct MemoryValueAnswer(
    long Frame,
    Epoch Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    JsonNode Value);

/// <summary>A value by name.</summary>
/// <param name="Name">The name of a property, a part of one, or a symbol.</param>
/// <param name="Shape">What a symbol is.</param>
/// <param name="Value">The value to write; not for reading.</param>
public sealed record ValueRequest(string Name, ValueShape Shape, JsonElement Value = default);

/// <summary>A value at a location.</summary>
/// <param name="Location">Where.</param>
/// <param name="Shape">What it is.</param>
/// <param name="Value">The value to write; not for reading.</param>
public sealed record MemoryValueRequest(Location Location, ValueShape Shape, JsonElement Value = default);
