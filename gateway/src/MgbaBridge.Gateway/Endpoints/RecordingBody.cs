namespace MgbaBridge.Gateway.Endpoints;

/// <summary>How to record.</summary>
public sealed record RecordingBody
{
    /// <summary>About every how many frames memory is hashed, 1 to 36000; 60 unless given.</summary>
    public long? HashEvery { get; init; }

    /// <summary>What is hashed: up to 16 texts such as `wram:0x0/262144`, together at most 1 MiB; all working memory unless given.</summary>
    public IReadOnlyList<string>? Ranges { get; init; }
}
