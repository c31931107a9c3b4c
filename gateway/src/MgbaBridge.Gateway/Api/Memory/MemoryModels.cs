using System.Buffers;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Memory;

/// <summary>One value to be written.</summary>
public sealed record CellBody
{
    /// <summary>0..2^bits-1, or negative in two's complement.</summary>
    public required long Value { get; init; }
}

/// <summary>One value of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it was read.</param>
/// <param name="Value">The value, unsigned.</param>
public readonly record struct CellAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    long Value);

/// <summary>A range of memory.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Location">Where it starts.</param>
/// <param name="Bytes">The bytes, in base64. Ask with <c>Accept: application/octet-stream</c> to get them raw.</param>
public readonly record struct BytesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    [property: JsonConverter(typeof(LocationConverter))] Location Location,
    ReadOnlyMemory<byte> Bytes);

/// <summary>Something was written.</summary>
/// <param name="Frame">The script's frame count when it was answered.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="First">The frame of the first byte written.</param>
/// <param name="Last">The frame of the last byte written: later than the first for more than 16 KiB.</param>
public readonly record struct WriteAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, long First, long Last)
{
    internal static WriteAnswer Of(Reply reply)
    {
        var (first, last) = WriteMemory.Parse(reply);
        return new WriteAnswer(reply.Frame, reply.Epoch, first, last);
    }
}

/// <summary>Something to read: a number of a type, or some bytes.</summary>
public sealed record ReadItem
{
    /// <summary>What is said when it is neither or both.</summary>
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
}

/// <summary>Something to write: a number of a type, or some bytes.</summary>
public sealed record WriteItem
{
    /// <summary>What is said when it is neither or both.</summary>
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

    /// <summary>Adds it to a batch, or says what is wrong.</summary>
    internal string? AddTo(BatchItems items)
    {
        switch (this)
        {
            case { Bytes: { } bytes, Type: null, Value: null }:
                items.Add(new WriteMemory(Location, new ReadOnlySequence<byte>(bytes)));
                return null;
            case { Bytes: null, Type: { } type, Value: { } value }:
                items.Add(new WriteCell(Location, type.Width(), value));
                return null;
            default:
                return FormatHint;
        }
    }
}

/// <summary>Many things to read at once.</summary>
public sealed record ReadsBody
{
    /// <summary>1 to 1024 of them.</summary>
    public required IReadOnlyList<ReadItem> Reads { get; init; }

    /// <summary>What is wrong with it, or null.</summary>
    internal string? Wrong() =>
        Reads.Count is 0 or > GatherMemory.Most ? $"reads has to be a list of 1 to {GatherMemory.Most}; this one has {Reads.Count}."
        : Reads.Any(read => read is not { IsValid: true }) ? ReadItem.FormatHint
        : null;
}

/// <summary>What was read, all in one frame.</summary>
/// <param name="Frame">The script's frame count when it ran.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Reads">In the order of the request.</param>
public readonly record struct ReadsAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    IReadOnlyList<ReadAnswer> Reads)
{
    /// <summary>The answer made from the bytes of all ranges.</summary>
    internal static ReadsAnswer Of(in GatherMemory command, Reply reply)
    {
        var answers = new ReadAnswer[command.Ranges.Count];
        var at = 0;
        for (var index = 0; index < answers.Length; index++)
        {
            var range = command.Ranges[index];
            answers[index] = ReadAnswer.Of(range, reply.Tail.Slice(at, (int)range.Length));
            at += (int)range.Length;
        }

        return new ReadsAnswer(reply.Frame, reply.Epoch, answers);
    }
}

/// <summary>One thing that was read.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">The number, if a type was given.</param>
/// <param name="Bytes">The bytes in base64, if a length was given.</param>
public readonly record struct ReadAnswer(
    [property: JsonConverter(typeof(LocationConverter))] Location Location, long? Value, ReadOnlyMemory<byte>? Bytes)
{
    /// <summary>The answer made from the bytes of a range.</summary>
    internal static ReadAnswer Of(in MemoryRange range, ReadOnlyMemory<byte> bytes) =>
        range.Type is { } type ? new ReadAnswer(range.Location, type.Read(bytes.Span), null) : new ReadAnswer(range.Location, null, bytes);
}
