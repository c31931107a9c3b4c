using System.Text.Json.Serialization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Operations.Freezes;

/// <summary>A value to write every frame.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">The value.</param>
/// <param name="Id">The name of the freeze; null for the location.</param>
/// <param name="Frames">In how many frames it is written; null until it is released.</param>
/// <param name="Shape">What it is.</param>
public sealed record FreezeRequest(string Location, JsonElement Value, string? Id, long? Frames, ValueShape Shape);

/// <summary>A freeze that was set.</summary>
/// <param name="Frame">The first frame in which it was written.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Id">Its id.</param>
/// <param name="Holder">Whose it is.</param>
/// <param name="Location">Where it is written.</param>
/// <param name="Last">The last frame in which it is written; absent when it is written until it is released.</param>
public readonly record struct FreezeAnswer(
    long Frame,
    Epoch Epoch,
    string Id,
    string Holder,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    long? Last);

/// <summary>A freeze.</summary>
/// <param name="Id">Its id, unique for the holder.</param>
/// <param name="Holder">Whose it is.</param>
/// <param name="Location">Where it is written.</param>
/// <param name="Bytes">What is written, in base64.</param>
/// <param name="Last">The last frame in which it is written; absent when it is written until it is released.</param>
public readonly record struct FreezeEntry(
    string Id,
    string Holder,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    ReadOnlyMemory<byte> Bytes,
    long? Last);

/// <summary>The freezes of an emulator.</summary>
/// <param name="Frame">The script's frame count when they were listed.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Freezes">All of them, in the order in which they are written.</param>
public readonly record struct FreezesAnswer(
    long Frame, Epoch Epoch, IReadOnlyList<FreezeEntry> Freezes)
{
    internal static FreezesAnswer Of(ListFreezes command, Reply reply) => new(
        reply.Frame, reply.Epoch, [.. ListFreezes.Parse(reply).Select(freeze => new FreezeEntry(freeze.Name, freeze.Holder, freeze.Location, freeze.Bytes, freeze.Last))]);
}

/// <summary>Freezes that were released.</summary>
/// <param name="Frame">The first frame in which they were not written.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Released">How many.</param>
public readonly record struct UnfreezeAnswer(long Frame, Epoch Epoch, long Released);

/// <summary>The JSON of freezes.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(FreezeAnswer))]
[JsonSerializable(typeof(FreezesAnswer))]
[JsonSerializable(typeof(UnfreezeAnswer))]
internal sealed partial class FreezeJson : JsonSerializerContext;
