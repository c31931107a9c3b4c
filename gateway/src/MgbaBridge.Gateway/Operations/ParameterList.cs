using System.Buffers;
using System.Text.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Parameters in the order of their declaration. Their values are a struct, so that reading them allocates nothing.</summary>
/// <typeparam name="TValues">The values.</typeparam>
public abstract class ParameterList<TValues>
{
    /// <summary>The parameters.</summary>
    public abstract IReadOnlyList<Parameter> All { get; }

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

/// <summary>The values of up to 9 parameters.</summary>
public struct ParameterValues<T1, T2, T3, T4, T5, T6, T7, T8, T9>
{
    internal T1 One;
    internal T2 Two;
    internal T3 Three;
    internal T4 Four;
    internal T5 Five;
    internal T6 Six;
    internal T7 Seven;
    internal T8 Eight;
    internal T9 Nine;
}

/// <summary>
/// Up to 9 parameters. Those that a list does not have are null, and the types of their values <see cref="NoParameters"/>: lists that nest in each other
/// would be a recursion of generic types, which native compilation refuses.
/// </summary>
internal sealed class ParameterList<T1, T2, T3, T4, T5, T6, T7, T8, T9>(
    Parameter<T1>? one, Parameter<T2>? two, Parameter<T3>? three, Parameter<T4>? four, Parameter<T5>? five,
    Parameter<T6>? six, Parameter<T7>? seven, Parameter<T8>? eight, Parameter<T9>? nine)
    : ParameterList<ParameterValues<T1, T2, T3, T4, T5, T6, T7, T8, T9>>
{
    public override IReadOnlyList<Parameter> All { get; } = [.. new Parameter?[] { one, two, three, four, five, six, seven, eight, nine }.OfType<Parameter>()];

    internal override void SetDefaults(ref ParameterValues<T1, T2, T3, T4, T5, T6, T7, T8, T9> values)
    {
        values.One = DefaultOf(one);
        values.Two = DefaultOf(two);
        values.Three = DefaultOf(three);
        values.Four = DefaultOf(four);
        values.Five = DefaultOf(five);
        values.Six = DefaultOf(six);
        values.Seven = DefaultOf(seven);
        values.Eight = DefaultOf(eight);
        values.Nine = DefaultOf(nine);
    }

    internal override string? Parse(int index, string text, ref ParameterValues<T1, T2, T3, T4, T5, T6, T7, T8, T9> values) => index switch
    {
        0 => one!.Parse(text, out values.One),
        1 => two!.Parse(text, out values.Two),
        2 => three!.Parse(text, out values.Three),
        3 => four!.Parse(text, out values.Four),
        4 => five!.Parse(text, out values.Five),
        5 => six!.Parse(text, out values.Six),
        6 => seven!.Parse(text, out values.Seven),
        7 => eight!.Parse(text, out values.Eight),
        _ => nine!.Parse(text, out values.Nine),
    };

    internal override string? Read(int index, ref Utf8JsonReader reader, ref ParameterValues<T1, T2, T3, T4, T5, T6, T7, T8, T9> values) => index switch
    {
        0 => one!.Read(ref reader, out values.One),
        1 => two!.Read(ref reader, out values.Two),
        2 => three!.Read(ref reader, out values.Three),
        3 => four!.Read(ref reader, out values.Four),
        4 => five!.Read(ref reader, out values.Five),
        5 => six!.Read(ref reader, out values.Six),
        6 => seven!.Read(ref reader, out values.Seven),
        7 => eight!.Read(ref reader, out values.Eight),
        _ => nine!.Read(ref reader, out values.Nine),
    };

    internal override void SetBytes(ReadOnlySequence<byte> bytes, ref ParameterValues<T1, T2, T3, T4, T5, T6, T7, T8, T9> values)
    {
        Set(one, bytes, ref values.One);
        Set(two, bytes, ref values.Two);
        Set(three, bytes, ref values.Three);
        Set(four, bytes, ref values.Four);
        Set(five, bytes, ref values.Five);
        Set(six, bytes, ref values.Six);
        Set(seven, bytes, ref values.Seven);
        Set(eight, bytes, ref values.Eight);
        Set(nine, bytes, ref values.Nine);
    }

    private static T DefaultOf<T>(Parameter<T>? parameter) => parameter is null ? default! : parameter.Default;

    private static void Set<T>(Parameter<T>? parameter, ReadOnlySequence<byte> bytes, ref T value)
    {
        if (parameter is Parameter<ReadOnlySequence<byte>?>)
        {
            value = (T)(object)(ReadOnlySequence<byte>?)bytes;
        }
    }
}
