using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations;

/// <summary>An operation that is a single command: a request becomes a command, its reply becomes the response.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public class CommandOperation<TRequest, TCommand, TResponse>(Resource resource, string name, string method, string path, Access access)
    : Operation<TRequest, TResponse>(resource, name, method, path, access)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>Makes the command; a request that is the command itself, unless given.</summary>
    public Func<TRequest, TCommand> Command { get; init; } = static request => (TCommand)(object)request!;

    /// <summary>What a request needs permission for, where it is not the same for all; null for <see cref="Operation.Access"/>.</summary>
    public Func<TRequest, Access>? AccessOf { get; init; }

    /// <summary>Code of the gateway that runs this request, which is more than the command; null for the command alone.</summary>
    public Func<TRequest, OperationHandler<TRequest, TResponse>?>? HandlerOf { get; init; }

    /// <summary>Makes the response.</summary>
    public required Func<TCommand, Reply, TResponse> Read { get; init; }

    /// <summary>How long the reply may take, or null for <c>Transport:RequestTimeout</c>.</summary>
    public Func<TRequest, TimeSpan?>? Timeout { get; init; }

    /// <summary>Writes the response on WebSocket without an object for it; null to write what <see cref="Read"/> returns.</summary>
    public MessageWriter<TCommand>? Write { get; init; }

    public override void Accept(IOperationVisitor visitor) => visitor.Visit(this);
}

/// <summary>An operation whose parameters make its command.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public sealed class CommandOperation<TCommand, TResponse>(Resource resource, string name, string method, string path, Access access)
    : CommandOperation<TCommand, TCommand, TResponse>(resource, name, method, path, access)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>A short name as an item of a batch, and what the item's result is; without it, the item has the operation's name and its response.</summary>
    public (string Name, ItemResultKind Result)? Item { get; init; }

    /// <summary>Whether it is an item of a batch; false where the item of another operation does the same.</summary>
    public bool IsItem { get; init; } = true;

    private protected override BatchEntry? MakeBatchEntry() => Item is { } item ? BatchEntry.Of(item.Name, $"{Summary}.", Request, item.Result)
        : !IsItem || default(TCommand).Descriptor.IsAlone ? null
        : BatchEntry.Of(Name, $"{Summary}.", Request, (command, reply) => JsonSerializer.SerializeToElement(Read(command, reply), Response.Value));
}
