using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Adds an item to a batch. Returns what is wrong with it, or null.</summary>
public delegate string? BatchAppender<in T>(T item, BatchItems items);

/// <summary>How an operation is written as an item of a batch: <c>{"tap": {"keys": ["A"]}}</c>.</summary>
public abstract class BatchEntry
{
    private protected BatchEntry(string name, string description) => (Name, Description) = (name, description);

    /// <summary>The property's name.</summary>
    public string Name { get; }

    /// <summary>What the document says about it.</summary>
    public string Description { get; }

    /// <summary>An entry whose value is read as <typeparamref name="T"/>.</summary>
    public static BatchEntry Of<T>(string name, string description, BatchAppender<T> append) => new Typed<T>(name, description, append);

    /// <summary>An entry whose value is the request of an operation that is one command.</summary>
    public static BatchEntry Of<TRequest, TCommand>(string name, string description, CommandFactory<TRequest, TCommand> factory, ItemResultKind kind)
        where TCommand : struct, ICommand<TCommand> => Of<TRequest>(name, description, (request, items) =>
        {
            if (factory(request, out var command) is { } wrong)
            {
                return wrong;
            }

            items.Add(command, kind);
            return null;
        });

    /// <summary>Adds a value that was read to a batch. Returns what is wrong with it, or null.</summary>
    internal abstract string? Append(object? value, BatchItems items);

    private sealed class Typed<T>(string name, string description, BatchAppender<T> append) : BatchEntry(name, description)
    {
        internal override string? Append(object? value, BatchItems items) => append((T)value!, items);
    }
}
