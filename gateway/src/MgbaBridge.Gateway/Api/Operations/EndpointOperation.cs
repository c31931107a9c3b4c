using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>An operation that only HTTP has: streams, uploads, pages.</summary>
/// <param name="name">The name in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
/// <param name="handler">Handles the request.</param>
public sealed class EndpointOperation(string name, string method, string path, Access access, RequestDelegate handler)
    : Operation(name, method, path, access)
{
    /// <summary>Handles the request.</summary>
    public RequestDelegate Handler { get; } = handler;

    /// <summary>The parameters of its path and query.</summary>
    public IReadOnlyList<Parameter> Parameters { get; init; } = [];

    /// <summary>The request's body, or null for none.</summary>
    public Content? Body { get; init; }

    /// <summary>Whether the body may be omitted.</summary>
    public bool BodyIsOptional { get; init; }

    /// <summary>The bodies of a successful response; the caller chooses by <c>Accept</c> if there is more than one.</summary>
    public IReadOnlyList<Content> Contents { get; init; } = [];

    /// <summary>The JSON context of its bodies, or null when they are not JSON.</summary>
    public JsonSerializerContext? Json { get; init; }

    /// <inheritdoc/>
    public override void Accept(IOperationVisitor visitor) => visitor.Visit(this);

    /// <inheritdoc/>
    internal override IEnumerable<JsonSerializerContext> JsonContexts => Json is null ? [] : [Json];

    /// <inheritdoc/>
    internal override OperationDescription Describe() => new(Tag, Summary)
    {
        Description = Description,
        Inputs = Inputs,
        Parameters = Parameters,
        Places = [.. Parameters.Select(parameter => parameter.IsIn(Path) ? ParameterPlace.Path : ParameterPlace.Query)],
        Body = Body,
        BodyIsOptional = BodyIsOptional,
        Answers = Contents,
        UsesEmulator = UsesEmulator,
        OtherResponses = OtherResponses,
    };
}
