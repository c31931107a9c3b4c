using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Something to read: a number of a type, or some bytes.</summary>
public sealed record ReadItem
{
    /// <summary>What is said when it is neither or both.</summary>
    internal const string Forms =
        "Each read has a location and either a type, {\"location\": \"0x02000000\", \"type\": \"u16\"}, "
        + "or a length, {\"location\": \"wram:0x10\", \"length\": 16}.";

    /// <summary>Where.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>What the number is: u8, s8, u16, s16, u32 or s32, little-endian.</summary>
    public NumberType? Type { get; init; }

    /// <summary>How many bytes, instead of a type.</summary>
    public long? Length { get; init; }

    /// <summary>Whether it is one of the two.</summary>
    internal bool IsValid => Type is null != Length is null && Length is null or >= 0;

    /// <summary>The range that it is.</summary>
    internal MemoryRange Range => new(Location, Type?.Bytes() ?? Length ?? 0, Type);
}
