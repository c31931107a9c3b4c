using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A condition on a number in memory.</summary>
public sealed record WaitTest
{
    /// <summary>Where the number is.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>What it is: u8, s8, u16, s16, u32 or s32, little-endian.</summary>
    public required NumberType Type { get; init; }

    /// <summary>How it is looked at: eq unless given, ne, lt, le, gt, ge, mask (all these bits are set), any (one of them is) or changed.</summary>
    public Comparison Is { get; init; }

    /// <summary>What it is compared with; not for `changed`.</summary>
    public long? Value { get; init; }

    /// <summary>Whether the value is there when it is needed, and only then.</summary>
    internal bool IsValid => Value is null == (Is == Comparison.Changed);

    /// <summary>The test that it is.</summary>
    internal MemoryTest Test => new(Type, Location, Is, Value ?? 0);
}
