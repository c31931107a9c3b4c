using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations;

/// <summary>An operation that is one command, which its parameters make; the reply becomes the response.</summary>
/// <param name="resource">What it has in common with others.</param>
/// <param name="name">The name on WebSocket and in <c>/v2/operations</c>.</param>
/// <param name="method">The HTTP method.</param>
/// <param name="path">The HTTP path.</param>
/// <param name="access">What it needs permission for.</param>
public sealed class CommandOperation<TCommand, TResponse>(Resource resource, string name, string method, string path, Access access)
    : Operation<TCommand, TResponse>(resource, name, method, path, access)
    where TCommand : struct, ICommand<TCommand>
{
    /// <summary>Makes the response.</summary>
    public required Func<TCommand, Reply, TResponse> Read { get; init; }

    /// <summary>How long the reply may take, or null for <c>Transport:RequestTimeout</c>.</summary>
    public Func<TCommand, TimeSpan?>? Timeout { get; init; }

    /// <summary>A short name as an item of a batch, and what the item's result is; without it, the item has the operation's name and its response.</summary>
    public (string Name, ItemResultKind Result)? Item { get; init; }

    /// <summary>Whether it is an item of a batch; false where the item of another operation does the same.</summary>
    public bool IsItem { get; init; } = true;

    private protected override BatchEntry? MakeBatchEntry() => Item is { } item ? BatchEntry.Of(item.Name, $"{Summary}.", Request, item.Result, AccessOf)
        : !IsItem || default(TCommand).Descriptor.IsAlone ? null
        : BatchEntry.Of(Name, $"{Summary}.", Request, (command, reply) => JsonSerializer.SerializeToElement(Read(command, reply), Response.Value));

    private protected override bool TakesFramesFor(TCommand command) => Timeout?.Invoke(command) is not null && command.Descriptor.Lasts;

    private protected override ValueTask<Result<TResponse>> RunAsync(Invocation invocation, TCommand command) => invocation.SendAsync(command, Read, Timeout?.Invoke(command));
}
