using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Things to do in order between the same two frames.</summary>
public sealed record BatchBody
{
    // a batch for later waits for its frame, however far away; a caller that leaves takes it back
    internal static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(20);

    private const int MostItems = 4_096;

    /// <summary>1 to 4096 of them, guards first.</summary>
    public required IReadOnlyList<BatchItem> Items { get; init; }

    /// <summary>In this frame; at once unless given.</summary>
    public long? At { get; init; }

    /// <summary>After so many frames, 1 to 36000, instead of `at`.</summary>
    public long? After { get; init; }

    /// <summary>Whether it is for a later frame.</summary>
    internal bool IsForLater => At is not null || After is not null;

    /// <summary>The items as they stand on the wire, or what is wrong.</summary>
    internal string? TryBuild(out BatchItems items)
    {
        items = new BatchItems();
        return Items.Count is 0 or > MostItems ? $"items has to be a list of 1 to {MostItems}; this one has {Items.Count}." : BatchItem.TryBuild(Items, out items);
    }
}
