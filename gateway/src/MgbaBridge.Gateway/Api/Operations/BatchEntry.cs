using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
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

    /// <summary>The type that the property's JSON is made from.</summary>
    public abstract Type Shape { get; }

    /// <summary>An entry whose value is read as <typeparamref name="T"/>.</summary>
    public static BatchEntry Of<T>(string name, string description, JsonTypeInfo<T> json, BatchAppender<T> append) => new Typed<T>(name, description, json, append);

    /// <summary>An entry whose value is the request of an operation that is one command.</summary>
    public static BatchEntry Of<TRequest, TCommand>(string name, string description, JsonTypeInfo<TRequest> json, CommandFactory<TRequest, TCommand> factory, ItemResultKind kind)
        where TCommand : struct, ICommand<TCommand> => Of(name, description, json, (request, items) =>
        {
            if (factory(request, out var command) is { } wrong)
            {
                return wrong;
            }

            items.Add(command, kind);
            return null;
        });

    /// <summary>Reads the value, to be added later.</summary>
    internal abstract object? Read(ref Utf8JsonReader reader);

    /// <summary>Adds a value that was read to a batch. Returns what is wrong with it, or null.</summary>
    internal abstract string? Append(object? value, BatchItems items);

    private sealed class Typed<T>(string name, string description, JsonTypeInfo<T> json, BatchAppender<T> append) : BatchEntry(name, description)
    {
        public override Type Shape => typeof(T);

        internal override object? Read(ref Utf8JsonReader reader) => JsonSerializer.Deserialize(ref reader, json);

        internal override string? Append(object? value, BatchItems items) => append((T)value!, items);
    }
}
