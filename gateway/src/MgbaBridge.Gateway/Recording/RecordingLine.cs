namespace MgbaBridge.Gateway.Recording;

/// <summary>A line of a recording behind the first: keys, a hash, or the end.</summary>
public sealed record RecordingLine
{
    /// <summary>In which frame. Keys: the first that ran with them. A hash: what memory held in that frame.</summary>
    public required long Frame { get; init; }

    /// <summary>The keys from then on, <c>A+Up</c>; empty for none.</summary>
    public string? Keys { get; init; }

    /// <summary>SHA-256 of the ranges, one behind the other.</summary>
    public string? Hash { get; init; }

    /// <summary>Why it ended.</summary>
    public string? End { get; init; }
}
