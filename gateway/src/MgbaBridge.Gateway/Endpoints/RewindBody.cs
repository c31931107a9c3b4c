namespace MgbaBridge.Gateway.Endpoints;

/// <summary>How to keep states to go back to.</summary>
public sealed record RewindBody
{
    /// <summary>How many frames lie between two states, 10 to 36000; 60 unless given.</summary>
    public long? Every { get; init; }

    /// <summary>How many states are kept, 1 to 1000; 60 unless given. Together they have at most 64 MiB.</summary>
    public int? Points { get; init; }
}
