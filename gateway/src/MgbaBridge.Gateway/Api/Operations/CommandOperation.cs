using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Api.Json;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Makes a command of a request. Returns what is wrong with the request, or null.</summary>
public delegate string? CommandFactory<TRequest, TCommand>(TRequest request, out TCommand command);

/// <summary>An operation that is a single command: a request becomes a command, its reply becomes the response.</summary>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public class CommandOperation<TRequest, TCommand, TResponse>(string name, string method, string path, Access access)
    : Operation(name, method, path, access)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>The parameters, and what they make.</summary>
    public required Parameters<TRequest> Request
    {
        get;
        init => field = value.For(Method, Path);
    }

    /// <summary>Makes the command; a request that is the command itself, unless given.</summary>
    public CommandFactory<TRequest, TCommand> Command { get; init; } = static (TRequest request, out TCommand command) =>
    {
        command = (TCommand)(object)request!;
        return null;
    };

    /// <summary>What a request needs permission for, where it is not the same for all; null for <see cref="Operation.Access"/>.</summary>
    public Func<TRequest, Access>? AccessOf { get; init; }

    /// <summary>Makes the response.</summary>
    public required Func<TCommand, Reply, TResponse> Read { get; init; }

    /// <summary>How the response is written as JSON.</summary>
    public required LazyJsonTypeInfo<TResponse> Response { get; init; }

    /// <summary>An example of the request's JSON body, for the document.</summary>
    public string? RequestExample { get; init; }

    /// <summary>An example of the response as JSON, for the document.</summary>
    public string? ResponseExample { get; init; }

    /// <summary>The media types of the HTTP response where it is not only JSON; the caller chooses by <c>Accept</c>.</summary>
    public IReadOnlyList<Content>? Contents { get; init; }

    /// <summary>How long the reply may take, or null for <c>Transport:RequestTimeout</c>.</summary>
    public Func<TRequest, TimeSpan?>? Timeout { get; init; }

    /// <summary>Whether HTTP callers say in a header whose effect it is. By default so for effects.</summary>
    public bool HasHolder { get; init; } = access != Access.Read;

    /// <summary>Writes the HTTP response where it is not only JSON (other media types, entity tags).</summary>
    public Func<HttpContext, TCommand, Reply, ValueTask>? Respond { get; init; }

    /// <summary>Serves the operation over HTTP where one command is not enough, such as for conditional requests; null for the default.</summary>
    public RequestDelegate? Endpoint { get; init; }

    /// <summary>
    /// Whether the reply's tail contains the response's bytes. WebSocket callers can request them as a binary message; the response is then only frame and epoch.
    /// </summary>
    public bool TailIsBytes { get; init; }

    /// <summary>Writes the response on WebSocket without an object for it; null to write what <see cref="Read"/> returns.</summary>
    public MessageWriter<TCommand>? Write { get; init; }

    /// <inheritdoc/>
    public override bool IsOverWebSocket => true;

    /// <inheritdoc/>
    public override void Accept(IOperationVisitor visitor) => visitor.Visit(this);

    /// <inheritdoc/>
    internal override IEnumerable<JsonSerializerContext> JsonContexts => [Response.Context];

    /// <inheritdoc/>
    internal override OperationDescription Describe() => new(Tag, Summary)
    {
        Description = Description,
        Inputs = InputsWith(HasHolder),
        Parameters = Request.All,
        Places = Request.Places,
        BodyExample = RequestExample,
        Answers = Contents ?? [new Content("application/json", typeof(TResponse), ResponseExample)],
        UsesEmulator = UsesEmulator,
        OtherResponses = OtherResponses,
    };
}

/// <summary>An operation whose parameters make its command.</summary>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public sealed class CommandOperation<TCommand, TResponse>(string name, string method, string path, Access access)
    : CommandOperation<TCommand, TCommand, TResponse>(name, method, path, access)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>A short name as an item of a batch, and what the item's result is; without it, the item has the operation's name and its response.</summary>
    public (string Name, ItemResultKind Result)? Item { get; init; }

    /// <summary>Whether it is an item of a batch; false where the item of another operation does the same.</summary>
    public bool IsItem { get; init; } = true;

    /// <inheritdoc/>
    private protected override BatchEntry? MakeBatchEntry() => Item is { } item ? BatchEntry.Of(item.Name, $"{Summary}.", Request, item.Result)
        : !IsItem || default(TCommand).Descriptor.IsAlone ? null
        : BatchEntry.Of(Name, $"{Summary}.", Request, (command, reply) => JsonSerializer.SerializeToElement(Read(command, reply), Response.Value));
}
