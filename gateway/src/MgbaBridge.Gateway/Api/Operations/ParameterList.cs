using System.Buffers;
using System.Text.Json;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Parameters in the order of their declaration. Their values are a tuple, so that reading them allocates nothing.</summary>
/// <typeparam name="TValues">The values: those of the parameters before the last, and that of the last.</typeparam>
public abstract class ParameterList<TValues>
{
    /// <summary>The parameters.</summary>
    public abstract IReadOnlyList<Parameter> All { get; }

    /// <summary>This list with another parameter.</summary>
    internal ParameterList<(TValues Before, T Value)> And<T>(Parameter<T> parameter) => new LongerParameterList<TValues, T>(this, parameter);

    /// <summary>What the values make.</summary>
    internal Parameters<TResult> Make<TResult>(Func<TValues, Made<TResult>> make) => new ParameterBinding<TValues, TResult>(this, make);

    /// <summary>Sets the values of all parameters to their defaults.</summary>
    internal abstract void SetDefaults(ref TValues values);

    /// <summary>Reads the text of a parameter. Returns what is wrong with it, or null.</summary>
    internal abstract string? Parse(int index, string text, ref TValues values);

    /// <summary>Reads the reader's present JSON value as that of a parameter. Returns what is wrong with it, or null.</summary>
    internal abstract string? Read(int index, ref Utf8JsonReader reader, ref TValues values);

    /// <summary>Sets the parameter that takes bytes.</summary>
    internal abstract void SetBytes(ReadOnlySequence<byte> bytes, ref TValues values);
}

/// <summary>No parameters.</summary>
internal sealed class EmptyParameterList : ParameterList<NoParameters>
{
    /// <inheritdoc/>
    public override IReadOnlyList<Parameter> All => [];

    /// <inheritdoc/>
    internal override void SetDefaults(ref NoParameters values)
    {
    }

    /// <inheritdoc/>
    internal override string? Parse(int index, string text, ref NoParameters values) => null;

    /// <inheritdoc/>
    internal override string? Read(int index, ref Utf8JsonReader reader, ref NoParameters values) => null;

    /// <inheritdoc/>
    internal override void SetBytes(ReadOnlySequence<byte> bytes, ref NoParameters values)
    {
    }
}

/// <summary>A list and one more parameter.</summary>
internal sealed class LongerParameterList<TRest, T>(ParameterList<TRest> rest, Parameter<T> last) : ParameterList<(TRest Before, T Value)>
{
    private readonly int _index = rest.All.Count;

    /// <inheritdoc/>
    public override IReadOnlyList<Parameter> All { get; } = [.. rest.All, last];

    /// <inheritdoc/>
    internal override void SetDefaults(ref (TRest Before, T Value) values)
    {
        rest.SetDefaults(ref values.Before);
        values.Value = last.Default;
    }

    /// <inheritdoc/>
    internal override string? Parse(int index, string text, ref (TRest Before, T Value) values) =>
        index == _index ? last.Parse(text, out values.Value) : rest.Parse(index, text, ref values.Before);

    /// <inheritdoc/>
    internal override string? Read(int index, ref Utf8JsonReader reader, ref (TRest Before, T Value) values) =>
        index == _index ? last.Read(ref reader, out values.Value) : rest.Read(index, ref reader, ref values.Before);

    /// <inheritdoc/>
    internal override void SetBytes(ReadOnlySequence<byte> bytes, ref (TRest Before, T Value) values)
    {
        if (last is Parameter<ReadOnlySequence<byte>?>)
        {
            values.Value = (T)(object)(ReadOnlySequence<byte>?)bytes;
        }
        else
        {
            rest.SetBytes(bytes, ref values.Before);
        }
    }
}
