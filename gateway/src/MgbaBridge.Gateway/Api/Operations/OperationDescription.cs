using MgbaBridge.Gateway.Api.Http;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>The description of one endpoint in the OpenAPI document. Endpoints are request delegates, so nothing can be derived from them.</summary>
/// <param name="Tag">The group it is shown in.</param>
/// <param name="Summary">What it does, in a few words.</param>
public sealed record OperationDescription(string Tag, string Summary)
{
    /// <summary>More about it, or null.</summary>
    public string? Description { get; init; }

    /// <summary>Query parameters and headers; path parameters are known from the path.</summary>
    public IReadOnlyList<Input> Inputs { get; init; } = [];

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
    public IReadOnlyList<Content> Answers { get; init; } = [];

    /// <summary>The parameters that HTTP requests have in this place.</summary>
    public IEnumerable<Parameter> In(ParameterPlace place) => Parameters.Where((_, index) => Places[index] == place);

    /// <summary>Whether it sends commands to the emulator, so that the response has a frame and an epoch and may fail in all the ways of the failure table.</summary>
    public bool UsesEmulator { get; init; } = true;

    /// <summary>Answers besides 200 that are worth a line each.</summary>
    public IReadOnlyList<(int Status, string When)> OtherResponses { get; init; } = [];
}

/// <summary>A body of a request or an answer.</summary>
/// <param name="MediaType">Its media type.</param>
/// <param name="JsonType">The type that its JSON is made from; null for raw bytes or text.</param>
/// <param name="Example">An example as JSON, or null.</param>
public sealed record Content(string MediaType, Type? JsonType, string? Example)
{
    /// <summary>Whether users have it as a file: the command line takes the file, not the parts of its JSON.</summary>
    public bool IsFile { get; init; } = JsonType is null;

    /// <summary>A JSON body with an example.</summary>
    public static Content Json<T>(string example) => new("application/json", typeof(T), example);

    /// <summary>Raw bytes.</summary>
    public static Content Bytes(string mediaType = "application/octet-stream") => new(mediaType, null, null);
}

/// <summary>A query parameter or a header.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it means.</param>
/// <param name="Example">An example.</param>
public sealed record Input(string Name, string Description, string Example)
{
    /// <summary>The holder of keys, lease or effects.</summary>
    public static Input Holder { get; } = new(
        HolderHeader.Name, "The holder: 1 to 64 of A-Z a-z 0-9 _ . : -. Requests without it share the holder `http`.", "bot-1")
    { IsHeader = true };

    /// <summary>A query parameter that only HTTP has.</summary>
    public static Input Of(Parameter parameter) => new(parameter.Name, parameter.Description, parameter.Example ?? parameter.Shape.Default ?? "") { IsInteger = parameter.Shape.JsonType == "integer" };

    /// <summary>A key under which a request runs once.</summary>
    public static Input IdempotencyKey { get; } = new(
        Idempotency.Header, "A request that is sent again with the same key runs once and gets the same response. 1 to 255 visible characters, preferably a random UUID.", "6f1c7c0e-5d1b-4b0e-9a52-0c6f3f6d1b11")
    { IsHeader = true };

    /// <summary>Whether it is a header rather than a query parameter.</summary>
    public bool IsHeader { get; init; }

    /// <summary>Whether it is required.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Whether it is an integer.</summary>
    public bool IsInteger { get; init; }
}

/// <summary>Adds an endpoint to the OpenAPI document.</summary>
internal static class DescriptionExtensions
{
    /// <summary>Adds the description to the endpoint.</summary>
    public static TBuilder Describe<TBuilder>(this TBuilder endpoint, OperationDescription operation)
        where TBuilder : IEndpointConventionBuilder => endpoint.WithMetadata(operation);
}
