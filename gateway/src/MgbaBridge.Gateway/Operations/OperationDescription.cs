using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations;

/// <summary>The description of one endpoint in the OpenAPI document. Endpoints are request delegates, so nothing can be derived from them.</summary>
/// <param name="Name">The operation's name.</param>
/// <param name="Tag">The group it is shown in.</param>
/// <param name="Summary">What it does, in a few words.</param>
public sealed record OperationDescription(string Name, string Tag, string Summary)
{
    /// <summary>More about it, or null.</summary>
    public string? Description { get; init; }

    /// <summary>The parameters.</summary>
    public IReadOnlyList<Parameter> Parameters { get; init; } = [];

    /// <summary>Where an HTTP request has each of the parameters.</summary>
    public IReadOnlyList<ParameterPlace> Places { get; init; } = [];

    /// <summary>An example of the JSON body, for a request whose body is made of parameters.</summary>
    public string? BodyExample { get; init; }

    /// <summary>The request's body, or null for none.</summary>
    public Content? Body
    {
        get => field ?? (Places.Contains(ParameterPlace.Body) ? Content.Bytes() : Places.Contains(ParameterPlace.Property) ? new Content("application/json", null, BodyExample) { IsFile = false } : null);
        init;
    }

    /// <summary>Whether the body is optional.</summary>
    public bool BodyIsOptional
    {
        get => field || (Places.Contains(ParameterPlace.Property) && !PropertiesOfTheBody.Any(parameter => parameter.IsRequired));
        init;
    }

    /// <summary>The parameters that are properties of the JSON body.</summary>
    public IEnumerable<Parameter> PropertiesOfTheBody => In(ParameterPlace.Property);

    /// <summary>The names of the query parameters.</summary>
    public IEnumerable<string> QueryNames => [.. Inputs.Where(input => !input.IsHeader).Select(input => input.Name), .. In(ParameterPlace.Query).Select(parameter => parameter.Name)];

    /// <summary>The bodies of a successful response; the caller chooses by <c>Accept</c> if there is more than one.</summary>
    public IReadOnlyList<Content> Contents { get; init; } = [];

    /// <summary>The parameters that HTTP requests have in this place.</summary>
    public IEnumerable<Parameter> In(ParameterPlace place) => Parameters.Where((_, index) => Places[index] == place);

    /// <summary>Whether it sends commands to the emulator, so that the response has a frame and an epoch and may fail in all the ways of the failure table.</summary>
    public bool UsesEmulator { get; init; } = true;

    /// <summary>Query parameters and headers that no parameter declares.</summary>
    public IReadOnlyList<Input> Inputs { get; init; } = [];

    /// <summary>Whether its effects belong to a holder, which callers may name.</summary>
    public bool HasHolder { get; init; }

    /// <summary>Whether the response has an entity tag, so that callers may say which one they have.</summary>
    public bool HasEntityTag { get; init; }

    /// <summary>HTTP statuses besides 200 that are worth a line each.</summary>
    public IReadOnlyList<StatusNote> Statuses { get; init; } = [];
}

/// <summary>A status of HTTP responses besides 200, and when it is sent.</summary>
/// <param name="Status">The status.</param>
/// <param name="When">When it is sent.</param>
public readonly record struct StatusNote(int Status, string When)
{
    private StatusNote(FailureKind failure, string? name, string? when)
        : this(failure.Status, when ?? $"{char.ToLowerInvariant(failure.Title[0])}{failure.Title[1..]}.") => (Failure, Name) = (failure, name ?? $"`{failure.Name}`");

    /// <summary>The failure that it is; null where it is none, or has a status of its own.</summary>
    public FailureKind? Failure { get; }

    /// <summary>The failure's name, and the script's code for it.</summary>
    public string? Name { get; }

    /// <summary>Whether the request failed.</summary>
    public bool IsFailure => Status >= StatusCodes.Status400BadRequest;

    /// <summary>A failure, and when it happens.</summary>
    public static implicit operator StatusNote((FailureKind Kind, string When) note) => new(note.Kind, null, note.When);

    /// <summary>A failure that says when it happens.</summary>
    public static implicit operator StatusNote(FailureKind kind) => new(kind, null, null);

    /// <summary>A failure of a command, and when it happens.</summary>
    public static implicit operator StatusNote((CommandFailureKind Kind, string When) note) => new(KindOf(new CommandFailure(note.Kind, "")), null, note.When);

    /// <summary>A failure of a command that says when it happens.</summary>
    public static implicit operator StatusNote(CommandFailureKind kind) => new(KindOf(new CommandFailure(kind, "")), null, null);

    /// <summary>What the script refuses, and when.</summary>
    public static implicit operator StatusNote((ErrorCode Code, string When) note)
    {
        var kind = KindOf(new CommandFailure(ErrorCodes.FailureOf(note.Code), "") { Code = note.Code });
        return new StatusNote(kind, $"`{kind.Name}` (`{ErrorCodes.NameOf(note.Code)}`)", note.When);
    }

    /// <summary>Its sentence.</summary>
    public override string ToString() => Name is null ? When : $"{Name}: {When}";

    private static FailureKind KindOf(CommandFailure failure) => new(failure.Status, failure.Rule.Name, failure.Rule.Title);
}

/// <summary>A body of a request or an answer.</summary>
/// <param name="MediaType">Its media type.</param>
/// <param name="JsonType">The type that its JSON is made from; null for raw bytes or text.</param>
/// <param name="Example">An example as JSON, or null.</param>
public sealed record Content(string MediaType, Type? JsonType, string? Example)
{
    /// <summary>Whether users have it as a file: the command line takes the file, not the parts of its JSON.</summary>
    public bool IsFile { get; init; } = JsonType is null;

    /// <summary>Whether it is text.</summary>
    public bool IsText => MediaType.StartsWith("text/", StringComparison.Ordinal);

    /// <summary>A JSON body with an example.</summary>
    public static Content Json<T>(string example) => new("application/json", typeof(T), example);

    /// <summary>Bytes or text; an example is that of text.</summary>
    /// <param name="mediaType">The media type, perhaps with parameters.</param>
    /// <param name="example">An example of text.</param>
    public static Content Of(string mediaType, string? example)
    {
        var content = Bytes(mediaType.Split(';')[0]);
        return content.IsText ? content with { Example = example } : content;
    }

    /// <summary>Raw bytes.</summary>
    public static Content Bytes(string mediaType = "application/octet-stream") => new(mediaType, null, null);
}

/// <summary>A query parameter or a header of HTTP.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it means.</param>
/// <param name="Example">An example.</param>
public sealed record Input(string Name, string Description, string Example)
{
    /// <summary>Whether it is a header rather than a query parameter.</summary>
    public bool IsHeader { get; init; }

    /// <summary>Whether it is required.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Whether it is an integer.</summary>
    public bool IsInteger { get; init; }
}
