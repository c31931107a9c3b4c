namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>What the values of parameters make, or what is wrong with them together.</summary>
/// <param name="Value">What they make.</param>
/// <param name="Error">What is wrong, as a sentence; null for nothing.</param>
public readonly record struct Made<T>(T Value, string? Error)
{
    /// <summary>What they make.</summary>
    public static implicit operator Made<T>(T value) => new(value, null);

    /// <summary>The values do not go together.</summary>
    public static implicit operator Made<T>(WrongParameters wrong) => new(default!, wrong.Error);
}

/// <summary>The values of parameters do not go together.</summary>
/// <param name="Error">What is wrong, as a sentence.</param>
public readonly record struct WrongParameters(string Error);

/// <summary>Declares the parameters of an operation, and what their values make: a command, or what a handler runs with.</summary>
public static class Parameters
{
    private static readonly ParameterList<NoParameters> Empty = new EmptyParameterList();

    /// <summary>No parameters.</summary>
    public static Parameters<NoParameters> None { get; } = Always(default(NoParameters));

    /// <summary>No parameters, and always this value.</summary>
    public static Parameters<T> Always<T>(T value) => Empty.Make<T>(_ => value);

    /// <summary>One parameter, whose value it is.</summary>
    public static Parameters<T> Of<T>(Parameter<T> parameter) => Of(parameter, static value => value);

    /// <summary>One parameter.</summary>
    public static Parameters<TResult> Of<T1, TResult>(
        Parameter<T1> one,
        Func<T1, TResult> make) =>
        Empty.And(one).Make<TResult>(v => make(v.Value));

    /// <summary>One parameter whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, TResult>(
        Parameter<T1> one,
        Func<T1, Made<TResult>> make) =>
        Empty.And(one).Make<TResult>(v => make(v.Value));

    /// <summary>Two parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, TResult>(
        Parameter<T1> one, Parameter<T2> two,
        Func<T1, T2, TResult> make) =>
        Empty.And(one).And(two).Make<TResult>(v => make(v.Before.Value, v.Value));

    /// <summary>Two parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, TResult>(
        Parameter<T1> one, Parameter<T2> two,
        Func<T1, T2, Made<TResult>> make) =>
        Empty.And(one).And(two).Make<TResult>(v => make(v.Before.Value, v.Value));

    /// <summary>Three parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three,
        Func<T1, T2, T3, TResult> make) =>
        Empty.And(one).And(two).And(three).Make<TResult>(v => make(v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Three parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three,
        Func<T1, T2, T3, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).Make<TResult>(v => make(v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Four parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four,
        Func<T1, T2, T3, T4, TResult> make) =>
        Empty.And(one).And(two).And(three).And(four).Make<TResult>(v => make(v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Four parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four,
        Func<T1, T2, T3, T4, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).And(four).Make<TResult>(v => make(v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Five parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five,
        Func<T1, T2, T3, T4, T5, TResult> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).Make<TResult>(v => make(v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Five parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five,
        Func<T1, T2, T3, T4, T5, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).Make<TResult>(v => make(v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Six parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six,
        Func<T1, T2, T3, T4, T5, T6, TResult> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Six parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six,
        Func<T1, T2, T3, T4, T5, T6, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Seven parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven,
        Func<T1, T2, T3, T4, T5, T6, T7, TResult> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).And(seven).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Seven parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven,
        Func<T1, T2, T3, T4, T5, T6, T7, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).And(seven).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Eight parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).And(seven).And(eight).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Eight parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).And(seven).And(eight).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Nine parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight, Parameter<T9> nine,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).And(seven).And(eight).And(nine).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));

    /// <summary>Nine parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight, Parameter<T9> nine,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, Made<TResult>> make) =>
        Empty.And(one).And(two).And(three).And(four).And(five).And(six).And(seven).And(eight).And(nine).Make<TResult>(v => make(v.Before.Before.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Before.Value, v.Before.Before.Before.Before.Value, v.Before.Before.Before.Value, v.Before.Before.Value, v.Before.Value, v.Value));
}
