using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Batch;

/// <summary>Items that run in order between the same two frames.</summary>
public sealed record BatchBody
{
    // a batch for later waits for its frame, however far away; a caller that leaves takes it back
    internal static readonly TimeSpan MaxWait = TimeSpan.FromMinutes(20);

    /// <summary>1 to 4096 of them, guards first.</summary>
    public required IReadOnlyList<BatchItem> Items { get; init; }

    /// <summary>In this frame; at once unless given.</summary>
    public long? At { get; init; }

    /// <summary>The number of frames to wait, 1 to 36000, instead of `at`.</summary>
    public long? After { get; init; }

    /// <summary>Whether it is for a later frame.</summary>
    internal bool IsForLater => At is not null || After is not null;

    /// <summary>The items as they stand on the wire, or what is wrong.</summary>
    internal string? TryBuild(out BatchItems items)
    {
        items = new BatchItems();
        return Items.Count is 0 or > Limits.Items ? $"items has to be a list of 1 to {Limits.Items}; this one has {Items.Count}." : BatchItem.TryBuild(Items, out items);
    }
}

/// <summary>What must hold before anything of a batch is done: a number, or some bytes.</summary>
public sealed record GuardItem
{
    /// <summary>Where.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>What the number is: u8, u16 or u32.</summary>
    public NumberType? Type { get; init; }

    /// <summary>How it compares: eq unless given, ne, lt, le, gt or ge.</summary>
    public Comparison Is { get; init; }

    /// <summary>With what.</summary>
    public long? Value { get; init; }

    /// <summary>The bytes that must stand there, in base64, instead of type and value.</summary>
    public ReadOnlyMemory<byte>? Bytes { get; init; }

    /// <summary>Adds it to a batch, or says what is wrong.</summary>
    internal string? AddTo(BatchItems items)
    {
        switch (this)
        {
            case { Bytes: { } bytes, Type: null, Value: null }:
                items.Add(new GuardBytes(Location, bytes));
                return null;
            case { Bytes: null, Type: NumberType.U8 or NumberType.U16 or NumberType.U32, Value: { } value } when Is.IsForGuards():
                items.Add(new GuardNumber(Type.Value.Width(), Location, Is, value));
                return null;
            default:
                return "A guard has a location and either a type (u8, u16, u32), is (eq, ne, lt, le, gt, ge) and a value, or bytes in base64.";
        }
    }
}
