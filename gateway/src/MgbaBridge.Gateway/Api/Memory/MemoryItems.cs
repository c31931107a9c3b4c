using System.Buffers;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Memory;

/// <summary>Something to read: a number of a type, or some bytes.</summary>
public sealed record ReadItem
{
    /// <summary>The error when it is neither or both.</summary>
    internal const string FormatHint =
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

    /// <summary>Adds it to a batch. Returns what is wrong, or null.</summary>
    internal string? AddTo(BatchItems items)
    {
        switch (this)
        {
            case { IsValid: false }:
                return FormatHint;
            case { Type: { } type }:
                items.Add(new ReadCell(Location, type.Width()), ItemResultKind.Number, type);
                return null;
            default:
                items.Add(new ReadMemory(Location, Range.Length), ItemResultKind.Bytes);
                return null;
        }
    }
}

/// <summary>Something to write: a number of a type, or some bytes.</summary>
public sealed record WriteItem
{
    /// <summary>The error when it is neither or both.</summary>
    internal const string FormatHint = "A write has a location and either a type and a value, or bytes in base64.";

    /// <summary>Where.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>What the number is: u8, s8, u16, s16, u32 or s32, little-endian.</summary>
    public NumberType? Type { get; init; }

    /// <summary>The number.</summary>
    public long? Value { get; init; }

    /// <summary>The bytes in base64, instead of type and value; up to 16 KiB in a batch.</summary>
    public ReadOnlyMemory<byte>? Bytes { get; init; }

    /// <summary>The bytes as they arrived in an HTTP body, instead of base64.</summary>
    internal ReadOnlySequence<byte>? Body { get; init; }

    /// <summary>How long it may take; null for a number, which takes no longer than other requests.</summary>
    internal TimeSpan? MaxWait => (Body?.Length ?? Bytes?.Length) is { } length ? WriteAnswer.MaxWait(length) : null;

    /// <summary>Makes the command. Returns what is wrong, or null.</summary>
    internal string? TryCommand(out WriteNumberOrBytes command)
    {
        command = default;
        switch (this)
        {
            case { Type: null, Value: null } when (Body ?? (Bytes is { } bytes ? new ReadOnlySequence<byte>(bytes) : null)) is { } range:
                command = WriteNumberOrBytes.Of(new WriteMemory(Location, range));
                return null;
            case { Body: null, Bytes: null, Type: { } type, Value: { } value }:
                command = WriteNumberOrBytes.Of(new WriteCell(Location, type.Width(), value));
                return null;
            default:
                return FormatHint;
        }
    }
}
