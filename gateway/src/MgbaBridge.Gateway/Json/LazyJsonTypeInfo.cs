using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace MgbaBridge.Gateway.Json;

/// <summary>JSON metadata that is made at its first use: to make that of all operations takes a third of the time to start.</summary>
/// <param name="context">The context that has it.</param>
public abstract class LazyJsonTypeInfo(JsonSerializerContext context)
{
    /// <summary>The context that has it.</summary>
    public JsonSerializerContext Context { get; } = context;

    /// <summary>The type that it describes.</summary>
    public abstract Type Type { get; }

    /// <summary>The metadata.</summary>
    public abstract JsonTypeInfo Untyped { get; }
}

/// <summary>JSON metadata of <typeparamref name="T"/> that is made at its first use. A context converts to it.</summary>
/// <param name="context">The context that has it.</param>
public sealed class LazyJsonTypeInfo<T>(JsonSerializerContext context) : LazyJsonTypeInfo(context)
{
    private JsonTypeInfo<T>? _value;

    /// <summary>The metadata.</summary>
    /// <exception cref="InvalidOperationException">The context does not have it.</exception>
    public JsonTypeInfo<T> Value => _value ??= (JsonTypeInfo<T>?)Context.GetTypeInfo(typeof(T))
        ?? throw new InvalidOperationException($"{Context.GetType().Name} does not contain {typeof(T)}; add [JsonSerializable] for it.");

    public override Type Type => typeof(T);

    public override JsonTypeInfo Untyped => Value;

    /// <summary>The metadata that <paramref name="context"/> has.</summary>
    public static implicit operator LazyJsonTypeInfo<T>(JsonSerializerContext context) => new(context);
}
