using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>What a value is.</summary>
public abstract record ShapeBody
{
    /// <summary>u8, s8, u16, s16, u32, s32, text, bytes, or the name of a struct.</summary>
    public required string Type { get; init; }

    /// <summary>How many of them side by side: a list. Left away: one, and no list.</summary>
    public int? Count { get; init; }

    /// <summary>How many bytes a text has, or bytes are.</summary>
    public int? Length { get; init; }

    /// <summary>Which byte of a number comes first: little unless given, or big.</summary>
    public Endian? Endian { get; init; }

    /// <summary>The text table of a text: `ascii` unless given.</summary>
    public string? Table { get; init; }
}
