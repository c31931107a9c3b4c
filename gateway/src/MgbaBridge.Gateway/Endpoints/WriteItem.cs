using System.Buffers;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Something to write: a number of a type, or some bytes.</summary>
public sealed record WriteItem
{
    /// <summary>What is said when it is neither or both.</summary>
    internal const string Forms = "A write has a location and either a type and a value, or bytes in base64.";

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
                return Forms;
        }
    }
}
