namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Things to do in order between the same two frames.</summary>
public sealed record BatchBody
{
    /// <summary>1 to 4096 of them, guards first.</summary>
    public required IReadOnlyList<BatchItem> Items { get; init; }

    /// <summary>In this frame; at once unless given.</summary>
    public long? At { get; init; }

    /// <summary>After so many frames, 1 to 36000, instead of `at`.</summary>
    public long? After { get; init; }
}
