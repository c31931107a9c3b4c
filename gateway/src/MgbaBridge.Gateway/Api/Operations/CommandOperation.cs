using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Makes a command of a request. Returns what is wrong with the request, or null.</summary>
public delegate string? CommandFactory<TRequest, TCommand>(TRequest request, out TCommand command);

/// <summary>An operation that is a single command: a request becomes a command, its reply becomes the response.</summary>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public sealed class CommandOperation<TRequest, TCommand, TResponse>(string name, string method, string path, Access access)
    : Operation(name, method, path, access)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>How the request is read.</summary>
    public required RequestBinding<TRequest> Request { get; init; }

    /// <summary>Makes the command.</summary>
    public required CommandFactory<TRequest, TCommand> Command { get; init; }

    /// <summary>Makes the response.</summary>
    public required Func<TCommand, Reply, TResponse> Read { get; init; }

    /// <summary>How the response is written as JSON.</summary>
    public required JsonTypeInfo<TResponse> Response { get; init; }

    /// <summary>An example of the response as JSON, for the document.</summary>
    public string? ResponseExample { get; init; }

    /// <summary>Responses of other media types that HTTP callers may ask for with <c>Accept</c>.</summary>
    public IReadOnlyList<Content> OtherContents { get; init; } = [];

    /// <summary>How long the reply may take, or null for <c>Transport:RequestTimeout</c>.</summary>
    public Func<TRequest, TimeSpan?>? Timeout { get; init; }

    /// <summary>Whether HTTP callers say in a header whose effect it is. By default so for effects.</summary>
    public bool HasHolder { get; init; } = access != Access.Read;

    /// <summary>Writes the HTTP response where it is not just JSON (other media types, entity tags).</summary>
    public Func<HttpContext, TCommand, Reply, ValueTask>? Respond { get; init; }

    /// <summary>The response on WebSocket when the reply's bytes follow as a binary message; null when there are none to follow.</summary>
    public Func<TCommand, Reply, TResponse>? ReadBinary { get; init; }

    /// <summary>Writes the response on WebSocket without an object for it; null to write what <see cref="Read"/> returns.</summary>
    public MessageWriter<TCommand>? Write { get; init; }

    /// <inheritdoc/>
    public override bool IsOverWebSocket => true;

    /// <inheritdoc/>
    public override void Accept(IOperationVisitor visitor) => visitor.Visit(this);

    /// <inheritdoc/>
    internal override IEnumerable<IJsonTypeInfoResolver?> JsonContexts => [Request.Json.OriginatingResolver, Request.BodyJson?.OriginatingResolver, Response.OriginatingResolver];

    /// <inheritdoc/>
    internal override OperationDescription Describe() => new(Tag, Summary)
    {
        Description = Description,
        Inputs = Inputs,
        Body = Request.Body,
        BodyIsOptional = Request.BodyIsOptional,
        Answers = [new Content("application/json", typeof(TResponse), ResponseExample), .. OtherContents],
        Asks = UsesEmulator,
        OtherResponses = OtherResponses,
    };
}
