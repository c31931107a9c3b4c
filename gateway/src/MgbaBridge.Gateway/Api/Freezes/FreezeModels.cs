using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Symbols;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Freezes;

/// <summary>A value to write every frame.</summary>
public sealed record FreezeBody : TypedRequest
{
    /// <summary>The name of the freeze, 1 to 64 bytes; `location` unless given. A freeze of the same holder with this id is replaced.</summary>
    public string? Id { get; init; }

    /// <summary>Where: an address (`0x02000008`), an offset in a domain (`wram:0x8`), or the name of a property or symbol. Pointers of a property are followed once, now.</summary>
    public required string Location { get; init; }

    /// <summary>The value: a number, a text, a list, or bytes in base64; 1 to 1024 bytes.</summary>
    public required JsonElement Value { get; init; }

    /// <summary>In how many frames it is written, 1 to 2147483647; until it is released unless given.</summary>
    public long? Frames { get; init; }
}

/// <summary>Names a freeze.</summary>
/// <param name="Id">Its id.</param>
public sealed record FreezeName([property: JsonRequired] string Id);

/// <summary>A freeze that was set.</summary>
/// <param name="Frame">The first frame in which it was written.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Id">Its id.</param>
/// <param name="Holder">Whose it is.</param>
/// <param name="Location">Where it is written.</param>
/// <param name="Last">The last frame in which it is written; absent when it is written until it is released.</param>
public readonly record struct FreezeAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
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
    long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, IReadOnlyList<FreezeEntry> Freezes)
{
    internal static FreezesAnswer Of(ListFreezes command, Reply reply) => new(
        reply.Frame, reply.Epoch, [.. ListFreezes.Parse(reply).Select(freeze => new FreezeEntry(freeze.Name, freeze.Holder, freeze.Location, freeze.Bytes, freeze.Last))]);
}

/// <summary>Freezes that were released.</summary>
/// <param name="Frame">The first frame in which they were not written.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Released">How many.</param>
public readonly record struct UnfreezeAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long Released);

/// <summary>The JSON of freezes.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(FreezeBody))]
[JsonSerializable(typeof(FreezeName))]
[JsonSerializable(typeof(FreezeAnswer))]
[JsonSerializable(typeof(FreezesAnswer))]
[JsonSerializable(typeof(UnfreezeAnswer))]
internal sealed partial class FreezeJson : JsonSerializerContext;
