namespace MgbaBridge.Gateway.Endpoints.Conventions;

/// <summary>A request with a key: what it was, and its answer as soon as there is one.</summary>
/// <param name="Key">The caller's key, with the holder it belongs to.</param>
/// <param name="Fingerprint">A hash of all that the request said.</param>
internal sealed record KeyedRequest(string Key, string Fingerprint)
{
    /// <summary>The answer; null when nothing was done and the next one may try.</summary>
    public TaskCompletionSource<KeptAnswer?> Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>When it was answered.</summary>
    public long AnsweredAt { get; set; }

    /// <summary>About how many bytes it keeps.</summary>
    public long Memory { get; set; }
}
