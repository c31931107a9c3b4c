using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>An operation that only HTTP has: an endless stream, an upload, or a large file.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name in <c>/v2/operations</c>.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
/// <param name="handler">Handles the request.</param>
/// <param name="method">The HTTP method; GET unless given.</param>
internal class EndpointOperation(Resource resource, string name, string path, Access access, RequestDelegate handler, string? method = null)
    : Operation(resource, name, method ?? HttpMethods.Get, path, access)
{
    /// <summary>Handles the request.</summary>
    public RequestDelegate Handler { get; } = handler;

    /// <summary>Its parameters.</summary>
    public virtual IReadOnlyList<Parameter> Parameters => [];

    /// <summary>Where each of them is: in the path or in the query.</summary>
    public virtual IReadOnlyList<ParameterPlace> Places => [];

    /// <summary>Query parameters and headers that no parameter declares.</summary>
    public IReadOnlyList<Input> Inputs { get; init; } = [];

    /// <summary>The bodies that a successful response may have.</summary>
    public IReadOnlyList<Content> Contents { get; init; } = [];

    /// <summary>Whether the connection speaks another protocol afterwards, which the command line does not.</summary>
    public bool UpgradesConnection { get; init; }

    /// <summary>Whether a WebSocket has a stream of its own under this name.</summary>
    public bool HasSocketStream { get; init; }

    public override bool IsHttpOnly => true;

    public override bool IsOnWebSocket => HasSocketStream;

    internal override OperationDescription Describe() => new(Resource.Tag, Summary)
    {
        Description = Description,
        Parameters = Parameters,
        Places = Places,
        Inputs = Inputs,
        Body = Body,
        Contents = Contents,
        UsesEmulator = UsesEmulator,
        Statuses = Statuses,
    };
}

/// <summary>One with parameters, all in the path or in the query.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name in <c>/v2/operations</c>.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
/// <param name="request">The parameters.</param>
/// <param name="handler">Handles the request.</param>
/// <param name="method">The HTTP method; GET unless given.</param>
internal sealed class EndpointOperation<TRequest>(
    Resource resource, string name, string path, Access access, Parameters<TRequest> request, Func<HttpContext, TRequest, Task> handler, string? method = null)
    : EndpointOperation(resource, name, path, access, Reading(request.For(HttpMethods.Get, path), handler), method)
{
    public override IReadOnlyList<Parameter> Parameters => request.All;

    public override IReadOnlyList<ParameterPlace> Places { get; } = request.For(HttpMethods.Get, path).Places;

    private static RequestDelegate Reading(Parameters<TRequest> request, Func<HttpContext, TRequest, Task> handler) =>
        http => request.Read(http, HttpParameters.TextOf, out var read) is { } wrong ? Problems.BadRequestAsync(http, wrong).AsTask() : handler(http, read);
}
