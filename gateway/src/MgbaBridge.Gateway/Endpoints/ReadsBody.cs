using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>Many things to read at once.</summary>
public sealed record ReadsBody
{
    /// <summary>1 to 1024 of them.</summary>
    public required IReadOnlyList<ReadItem> Reads { get; init; }

    /// <summary>What is wrong with it, or null.</summary>
    internal string? Wrong() =>
        Reads.Count is 0 or > GatherMemory.Most ? $"reads has to be a list of 1 to {GatherMemory.Most}; this one has {Reads.Count}."
        : Reads.Any(read => read is not { IsValid: true }) ? ReadItem.Forms
        : null;
}
