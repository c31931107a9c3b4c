using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Adds an item to a batch. Returns what is wrong with it, or null.</summary>
public delegate string? BatchAppender<in T>(T value, BatchItems items);

/// <summary>How an operation is written as an item of a batch: <c>{"tap": {"keys": ["A"]}}</c>.</summary>
/// <param name="value">The item's value, whose name is the property's.</param>
public abstract class BatchEntry(Parameter value)
{
    /// <summary>The item's value, whose name is the property's.</summary>
    public Parameter Value { get; } = value with { IsRequired = false };

    /// <summary>The property's name.</summary>
    public string Name => Value.Name;

    /// <summary>What an item needs permission for: that of its operation.</summary>
    public Access Access { get; private set; }

    /// <summary>Whether the gateway runs it, after everything that the script runs.</summary>
    public virtual bool IsOfGateway => false;

    /// <summary>An entry with this value.</summary>
    public static BatchEntry Of<T>(Parameter<T> value, BatchAppender<T> append) => new Typed<T>(value, append);

    /// <summary>The entry of an operation that the gateway runs.</summary>
    public static BatchEntry Of<TRequest, TResponse>(HandlerOperation<TRequest, TResponse> operation) =>
        new OfGateway<TRequest, TResponse>(Parameter.Object(operation.Name, operation.Request, $"{operation.Summary}. The gateway runs it after all others."), operation);

    /// <summary>An entry whose value is an object with the parameters of a command. <paramref name="accessOf"/> says where one needs permission for more than its operation.</summary>
    public static BatchEntry Of<TCommand>(string name, string sentence, Parameters<TCommand> parameters, ItemResultKind result, Func<TCommand, Access>? accessOf = null)
        where TCommand : struct, ICommand<TCommand> => new Typed<TCommand>(
            Parameter.Object(name, parameters, sentence),
            (command, items) =>
            {
                items.Add(command, result);
                return null;
            },
            accessOf);

    /// <summary>An entry whose value is an object with the parameters of a command, and whose result is what <paramref name="respond"/> makes of its reply.</summary>
    public static BatchEntry Of<TCommand>(string name, string sentence, Parameters<TCommand> parameters, Func<TCommand, Reply, JsonElement> respond)
        where TCommand : struct, ICommand<TCommand> => Of(Parameter.Object(name, parameters, sentence), (command, items) =>
        {
            items.Add(command, new Response<TCommand>(command, respond));
            return null;
        });

    /// <summary>An entry without parameters, whose value is <c>true</c>.</summary>
    public static BatchEntry Of<TCommand>(string name, string sentence, TCommand command, ItemResultKind result)
        where TCommand : struct, ICommand<TCommand> => Of(Parameter.Flag(name, $"`true`: {sentence}").Optional(), (given, items) =>
        {
            if (given != true)
            {
                return $"{name} is false; expected true.";
            }

            items.Add(command, result);
            return null;
        });

    /// <summary>The entry of an operation with this access.</summary>
    internal BatchEntry For(Access access)
    {
        Access = access;
        return this;
    }

    /// <summary>Reads the item's value and adds it to a batch. Returns what is wrong with it, or null.</summary>
    internal abstract string? Read(ref Utf8JsonReader reader, BatchRequest batch);

    private sealed class Response<TCommand>(TCommand command, Func<TCommand, Reply, JsonElement> respond) : ItemResponse
    {
        public override JsonElement Read(Reply reply) => respond(command, reply);
    }

    private sealed class Typed<T>(Parameter<T> value, BatchAppender<T> append, Func<T, Access>? accessOf = null) : BatchEntry(value)
    {
        internal override string? Read(ref Utf8JsonReader reader, BatchRequest batch)
        {
            if (value.Read(ref reader, out var read) is { } wrong)
            {
                return wrong;
            }

            batch.Access = (Access)Math.Max((int)batch.Access, (int)(accessOf?.Invoke(read) ?? Access));
            return batch.Reads.Count > 0 ? $"{Name} comes before the items that the gateway runs, which are last." : append(read, batch.Items);
        }
    }

    private sealed class OfGateway<TRequest, TResponse>(Parameter<TRequest> value, HandlerOperation<TRequest, TResponse> operation) : BatchEntry(value)
    {
        public override bool IsOfGateway => true;

        internal override string? Read(ref Utf8JsonReader reader, BatchRequest batch)
        {
            if (value.Read(ref reader, out var request) is { } wrong)
            {
                return wrong;
            }

            batch.Reads.Add(async invocation =>
            {
                using var result = await operation.InvokeAsync(invocation, request);
                return result.Failure is { } failure ? failure : JsonSerializer.SerializeToUtf8Bytes(result.Value!, operation.Response.Value);
            });
            return batch.Reads.Count > BatchRequest.MaxReads ? $"there are more than {BatchRequest.MaxReads} items that the gateway runs." : null;
        }
    }
}

/// <summary>The items of a batch.</summary>
public sealed class BatchRequest
{
    /// <summary>The most items that the gateway runs.</summary>
    internal const int MaxReads = 64;

    /// <summary>The commands, which the script runs between the same two frames.</summary>
    public BatchItems Items { get; } = new();

    /// <summary>What the gateway runs after them, in order; each returns its response as JSON in UTF-8.</summary>
    internal List<Func<Invocation, ValueTask<Result<byte[]>>>> Reads { get; } = [];

    /// <summary>How many items there are.</summary>
    public int Count => Items.Results.Count + Reads.Count;

    /// <summary>What they need permission for together: the largest of their accesses.</summary>
    public Access Access { get; internal set; }
}
