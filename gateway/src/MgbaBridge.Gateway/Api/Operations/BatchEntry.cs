using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Adds an item to a batch. Returns what is wrong with it, or null.</summary>
public delegate string? BatchAppender<in T>(T item, BatchItems items);

/// <summary>How an operation is written as an item of a batch: <c>{"tap": {"keys": ["A"]}}</c>.</summary>
public abstract class BatchEntry
{
    private protected BatchEntry(string name, string description, LazyJsonTypeInfo? json) =>
        (Name, Utf8Name, Description, Json) = (name, Encoding.UTF8.GetBytes(name), description, json);

    /// <summary>The property's name.</summary>
    public string Name { get; }

    /// <summary>The property's name in UTF-8.</summary>
    internal ReadOnlyMemory<byte> Utf8Name { get; }

    /// <summary>What the document says about it.</summary>
    public string Description { get; }

    /// <summary>What an item needs permission for: that of its operation.</summary>
    public Access Access { get; private set; }

    /// <summary>How the property's value is read as JSON; null when it is an object of parameters.</summary>
    public LazyJsonTypeInfo? Json { get; }

    /// <summary>The parameters that are properties of its value.</summary>
    public virtual IReadOnlyList<Parameter> Parameters => [];

    /// <summary>An entry whose value has the parameters of a command.</summary>
    public static BatchEntry Of<TCommand>(string name, string description, RequestBinding<TCommand> parameters, ItemResultKind kind)
        where TCommand : struct, ICommand<TCommand> => new OfParameters<TCommand>(name, description, parameters, (command, items) =>
        {
            items.Add(command, kind);
            return null;
        });

    /// <summary>An entry whose value is read as <typeparamref name="T"/>.</summary>
    public static BatchEntry Of<T>(string name, string description, JsonSerializerContext json, BatchAppender<T> append) => new Typed<T>(name, description, json, append);

    /// <summary>An entry whose value is the request of an operation that is one command.</summary>
    public static BatchEntry Of<TRequest, TCommand>(
        string name, string description, JsonSerializerContext json, CommandFactory<TRequest, TCommand> factory, ItemResultKind kind)
        where TCommand : struct, ICommand<TCommand> => Of<TRequest>(name, description, json, (request, items) =>
        {
            if (factory(request, out var command) is { } wrong)
            {
                return wrong;
            }

            items.Add(command, kind);
            return null;
        });

    /// <summary>An entry without parameters, whose value is <c>true</c>.</summary>
    public static BatchEntry Of<TCommand>(string name, string description, TCommand command, ItemResultKind kind)
        where TCommand : struct, ICommand<TCommand> => Of<bool>(name, description, RequestJson.Default, (given, items) =>
        {
            if (!given)
            {
                return $"{name} has the value true.";
            }

            items.Add(command, kind);
            return null;
        });

    /// <summary>The entry of an operation with this access.</summary>
    internal BatchEntry For(Access access)
    {
        Access = access;
        return this;
    }

    /// <summary>Reads the property's value.</summary>
    internal abstract BatchItem Read(ref Utf8JsonReader reader);

    private sealed class OfParameters<T>(string name, string description, RequestBinding<T> parameters, BatchAppender<T> append) : BatchEntry(name, description, null)
    {
        public override IReadOnlyList<Parameter> Parameters => parameters.All;

        internal override BatchItem Read(ref Utf8JsonReader reader) => parameters.ReadJson(ref reader, null, out var value) is { } wrong
            ? throw new ParameterException(wrong)
            : new Item(value, append) { Access = Access };

        private sealed class Item(T value, BatchAppender<T> append) : BatchItem
        {
            internal override string? AppendTo(BatchItems items) => append(value, items);
        }
    }

    private sealed class Typed<T>(string name, string description, LazyJsonTypeInfo<T> json, BatchAppender<T> append) : BatchEntry(name, description, json)
    {
        internal override BatchItem Read(ref Utf8JsonReader reader) => new Item(JsonSerializer.Deserialize(ref reader, json.Value)!, append) { Access = Access };

        private sealed class Item(T value, BatchAppender<T> append) : BatchItem
        {
            internal override string? AppendTo(BatchItems items) => append(value, items);
        }
    }
}

/// <summary>An item of a batch: exactly one of these.</summary>
public abstract class BatchItem
{
    private protected BatchItem()
    {
    }

    /// <summary>What the item needs permission for.</summary>
    internal Access Access { get; init; }

    /// <summary>What items need permission for together: the largest of their accesses, and at least <paramref name="least"/>.</summary>
    internal static Access AccessOf(IReadOnlyList<BatchItem>? items, Access least)
    {
        for (var index = 0; index < items?.Count; index++)
        {
            least = (Access)Math.Max((int)least, (int)items[index].Access);
        }

        return least;
    }

    /// <summary>Adds the item to a batch. Returns what is wrong with it, or null.</summary>
    internal abstract string? AppendTo(BatchItems items);

    /// <summary>Makes a batch of items. Returns what is wrong with one of them, or null.</summary>
    internal static string? TryBuild(IReadOnlyList<BatchItem> items, out BatchItems built)
    {
        built = new BatchItems();
        for (var index = 0; index < items.Count; index++)
        {
            if (items[index].AppendTo(built) is { } wrong)
            {
                return $"Item {index + 1}: {wrong}";
            }
        }

        return null;
    }

    /// <summary>An item that is not exactly one of the entries.</summary>
    internal sealed class Invalid(string hint) : BatchItem
    {
        internal override string AppendTo(BatchItems items) => hint;
    }
}
