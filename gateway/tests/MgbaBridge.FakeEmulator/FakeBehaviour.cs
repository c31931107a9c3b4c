namespace MgbaBridge.FakeEmulator;

/// <summary>How the fake misbehaves. The default behaves.</summary>
public sealed record FakeBehaviour
{
    /// <summary>Sends this many bytes at a time; null for all at once.</summary>
    public int? ChunkSize { get; init; }

    /// <summary>Waits this long before each reply.</summary>
    public TimeSpan Delay { get; init; }

    /// <summary>Closes a connection after it has sent this many bytes on it, hello not counted; null for never.</summary>
    public long? CloseAfterBytes { get; init; }

    /// <summary>Reads, and answers nothing, not even hello.</summary>
    public bool NeverAnswer { get; init; }

    /// <summary>Answers every request after hello with these bytes instead; null for a proper answer.</summary>
    public byte[]? Garbage { get; init; }

    /// <summary>Says these bytes as soon as a connection is made or sends something; null for silence.</summary>
    public byte[]? InsteadOfHello { get; init; }

    /// <summary>Answers with an id that was not asked.</summary>
    public bool WrongIds { get; init; }

    /// <summary>What hello's reply says besides the usual; replaces what has the same name.</summary>
    public string Hello { get; init; } = "";

    /// <summary>Refuses hello with this body; null for not.</summary>
    public string? RefuseHello { get; init; }

    /// <summary>The secret that hello has to prove; null for none.</summary>
    public string? Secret { get; init; }

    /// <summary>What it says as its own proof, from the client's; null for the right one, an empty text for none.</summary>
    public Func<string, string>? OwnProof { get; init; }

    /// <summary>Answers a request; null for the fake's own small memory and echo.</summary>
    public Func<FakeRequest, FakeReply?>? Answer { get; init; }
}
