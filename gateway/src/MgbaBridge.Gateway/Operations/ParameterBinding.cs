using System.Buffers;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>No parameters: <c>{}</c>.</summary>
public readonly record struct NoParameters;

/// <summary>The parameters of an operation, and what their values make: a command, or what a handler runs with.</summary>
/// <typeparam name="TRequest">What they make.</typeparam>
public abstract class Parameters<TRequest>
{
    /// <summary>The parameters.</summary>
    public abstract IReadOnlyList<Parameter> All { get; }

    /// <summary>Where an HTTP request has each of them.</summary>
    public abstract IReadOnlyList<ParameterPlace> Places { get; }

    /// <summary>Whether bytes may come with a request in a binary message.</summary>
    internal abstract bool TakesBytes { get; }

    /// <summary>Whether an HTTP request has a body.</summary>
    internal abstract bool HasBody { get; }

    /// <summary>These parameters for an operation with this method and path, which say where HTTP requests have each of them.</summary>
    internal abstract Parameters<TRequest> For(string method, string path);

    /// <summary>Reads an HTTP request that has no body. Returns what is wrong with it, or null.</summary>
    /// <param name="source">The HTTP request.</param>
    /// <param name="textOf">Finds the text of a parameter in it.</param>
    /// <param name="request">The request.</param>
    internal abstract string? Read(object source, ParameterText textOf, out TRequest request);

    /// <summary>As above, of an HTTP request that has a body.</summary>
    internal abstract string? Read(object source, ParameterText textOf, in ReadOnlySequence<byte> body, out TRequest request);

    /// <summary>Reads the JSON object that other interfaces send. Returns what is wrong with it, or null.</summary>
    /// <param name="reader">A reader at the start of the object; behind it afterwards.</param>
    /// <param name="bytes">The bytes that came with it in a binary message, or null.</param>
    /// <param name="request">The request.</param>
    internal abstract string? ReadJson(ref Utf8JsonReader reader, ReadOnlyMemory<byte>? bytes, out TRequest request);

    /// <summary>Reads the arguments of a model's call (<see cref="ArgumentForm"/>). Returns what is wrong with them, or null.</summary>
    /// <param name="argumentOf">Finds the argument for a parameter.</param>
    /// <param name="request">The request.</param>
    /// <param name="at">The parameter whose argument is wrong or missing; null when they do not belong together.</param>
    internal abstract string? ReadArguments(ParameterArgument argumentOf, out TRequest request, out Parameter? at);
}

/// <summary>The argument that a call has for a parameter, or null for none.</summary>
internal delegate JsonElement? ParameterArgument(Parameter parameter);

/// <summary>The text that an HTTP request has for a parameter outside of its body, or null for none.</summary>
/// <param name="source">The HTTP request.</param>
/// <param name="parameter">The parameter.</param>
/// <param name="place">Where the request has it.</param>
internal delegate string? ParameterText(object source, Parameter parameter, ParameterPlace place);

/// <summary>Reads the values of parameters from HTTP requests and from JSON.</summary>
internal sealed class ParameterBinding<TValues, TRequest>(ParameterList<TValues> list, Func<TValues, Made<TRequest>> make, ParameterPlace[]? places = null) : Parameters<TRequest>
{
    private readonly ulong _required = Mask(list.All, static (_, parameter) => parameter.IsRequired);
    private readonly ulong _bytes = Mask(list.All, static (_, parameter) => parameter is Parameter<ReadOnlySequence<byte>?>);

    // those that an HTTP request does not have in its body
    private readonly ulong _outside = Mask(list.All, (index, _) => places is not null && places[index] < ParameterPlace.Property);

    public override IReadOnlyList<Parameter> All => list.All;

    public override IReadOnlyList<ParameterPlace> Places => places ?? [];

    internal override bool TakesBytes => _bytes != 0;

    internal override bool HasBody { get; } = places is not null && (places.Contains(ParameterPlace.Property) || places.Contains(ParameterPlace.Body));

    internal override Parameters<TRequest> For(string method, string path) =>
        new ParameterBinding<TValues, TRequest>(list, make, [.. list.All.Select(parameter => PlaceOf(parameter, method, path))]);

    internal override string? Read(object source, ParameterText textOf, out TRequest request)
    {
        var values = default(TValues)!;
        list.SetDefaults(ref values);
        request = default!;
        return ReadOutside(source, textOf, ref values, out _) ?? Make(values, out request);
    }

    internal override string? ReadJson(ref Utf8JsonReader reader, ReadOnlyMemory<byte>? bytes, out TRequest request)
    {
        var values = default(TValues)!;
        list.SetDefaults(ref values);
        request = default!;
        var given = 0UL;
        if (bytes is { } binary)
        {
            list.SetBytes(new ReadOnlySequence<byte>(binary), ref values);
            given = _bytes;
        }

        return ReadObject(ref reader, ref values, ref given, 0) ?? Missing(given) ?? Make(values, out request);
    }

    internal override string? Read(object source, ParameterText textOf, in ReadOnlySequence<byte> body, out TRequest request)
    {
        var values = default(TValues)!;
        list.SetDefaults(ref values);
        request = default!;
        var wrong = ReadOutside(source, textOf, ref values, out var given);
        if (wrong is not null)
        {
            return wrong;
        }

        if (_bytes != 0)
        {
            list.SetBytes(body, ref values);
            return Make(values, out request);
        }

        if (!body.IsEmpty)
        {
            try
            {
                var reader = new Utf8JsonReader(body);
                reader.Read();
                wrong = ReadObject(ref reader, ref values, ref given, _outside);
                if (wrong is null)
                {
                    reader.Read(); // refuses what follows
                }
            }
            catch (Exception exception) when (exception is JsonException or InvalidOperationException)
            {
                // the latter is a text with half of a surrogate pair
                wrong = $"The body is not JSON: {exception.Message}";
            }
        }

        return wrong ?? Missing(given) ?? Make(values, out request);
    }

    internal override string? ReadArguments(ParameterArgument argumentOf, out TRequest request, out Parameter? at)
    {
        var values = default(TValues)!;
        list.SetDefaults(ref values);
        request = default!;
        for (var index = 0; index < list.All.Count; index++)
        {
            at = list.All[index];
            if (argumentOf(at) is { } argument)
            {
                if (ReadArgument(index, argument, ref values) is { } wrong)
                {
                    return wrong;
                }
            }
            else if (at.IsRequired)
            {
                return at.Missing;
            }
        }

        at = null;
        return Make(values, out request);
    }

    private string? ReadArgument(int index, JsonElement argument, ref TValues values)
    {
        var (text, json) = ArgumentForm.Of(argument, list.All[index].Shape);
        if (text is not null)
        {
            return list.Parse(index, text, ref values);
        }

        var reader = new Utf8JsonReader(JsonMarshal.GetRawUtf8Value(json));
        reader.Read();
        return list.Read(index, ref reader, ref values);
    }

    private string? Make(TValues values, out TRequest request)
    {
        var made = make(values);
        request = made.Value;
        return made.Error;
    }

    // the parameters that are not in the body
    private string? ReadOutside(object source, ParameterText textOf, ref TValues values, out ulong given)
    {
        given = 0;
        for (var index = 0; index < places!.Length; index++)
        {
            var parameter = list.All[index];
            var text = places[index] < ParameterPlace.Property ? textOf(source, parameter, places[index]) : null;
            if (text is not null)
            {
                given |= 1UL << index;
                if (list.Parse(index, text, ref values) is { } wrong)
                {
                    return wrong;
                }
            }
            else if (parameter.IsRequired && places[index] < ParameterPlace.Property)
            {
                return parameter.Missing;
            }
        }

        return null;
    }

    private string? ReadObject(ref Utf8JsonReader reader, ref TValues values, ref ulong given, ulong outside)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return $"The parameters are the properties of a JSON object{(list.All.Count == 0 ? ", {}" : $": {string.Join(", ", Names(outside))}")}.";
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var index = IndexOf(ref reader);
            if (index < 0 || (outside >> index & 1) != 0)
            {
                return Parameter.Unknown(reader.GetString()!, [.. Names(outside)]);
            }

            if ((given >> index & 1) != 0)
            {
                return $"{list.All[index].Name} is given twice.";
            }

            given |= 1UL << index;
            reader.Read();
            if (list.Read(index, ref reader, ref values) is { } wrong)
            {
                return wrong;
            }
        }

        return null;
    }

    private int IndexOf(ref Utf8JsonReader reader)
    {
        for (var index = 0; index < list.All.Count; index++)
        {
            if (reader.ValueTextEquals(list.All[index].Utf8Name.Span))
            {
                return index;
            }
        }

        return -1;
    }

    private string? Missing(ulong given)
    {
        var missing = _required & ~given;
        return missing == 0 ? null : list.All[BitOperations.TrailingZeroCount(missing)].Missing;
    }

    private IEnumerable<string> Names(ulong outside) => list.All.Where((_, index) => (outside >> index & 1) == 0).Select(parameter => parameter.Name);

    private ParameterPlace PlaceOf(Parameter parameter, string method, string path) =>
        parameter.IsIn(path) ? ParameterPlace.Path
        : parameter is Parameter<ReadOnlySequence<byte>?> ? ParameterPlace.Body
        : parameter.IsInQuery || _bytes != 0 || HttpMethods.IsGet(method) || HttpMethods.IsDelete(method) ? ParameterPlace.Query
        : ParameterPlace.Property;

    private static ulong Mask(IReadOnlyList<Parameter> all, Func<int, Parameter, bool> condition)
    {
        var mask = 0UL;
        for (var index = 0; index < all.Count; index++)
        {
            mask |= condition(index, all[index]) ? 1UL << index : 0;
        }

        return mask;
    }
}
