namespace MgbaBridge.Gateway.Endpoints.OpenApi;

/// <summary>What the API's document says about one endpoint. Endpoints are plain request delegates, so nothing can be guessed from them.</summary>
/// <param name="Tag">The group it is shown in.</param>
/// <param name="Summary">What it does, in a few words.</param>
public sealed record Operation(string Tag, string Summary)
{
    /// <summary>More about it, or null.</summary>
    public string? Description { get; init; }

    /// <summary>Query parameters and headers; what stands in the path is known from the path.</summary>
    public IReadOnlyList<Input> Inputs { get; init; } = [];

    /// <summary>The request's body, or null for none.</summary>
    public Content? Body { get; init; }

    /// <summary>Whether the body may be left away.</summary>
    public bool BodyIsOptional { get; init; }

    /// <summary>What success looks like; the caller chooses by <c>Accept</c> if there is more than one.</summary>
    public IReadOnlyList<Content> Answers { get; init; } = [];

    /// <summary>Whether it asks the emulator, so that the answer has a frame and an epoch, and may fail in all the ways of the failure table.</summary>
    public bool Asks { get; init; } = true;

    /// <summary>Answers besides 200 that are worth a line each.</summary>
    public IReadOnlyList<(int Status, string When)> Otherwise { get; init; } = [];
}
