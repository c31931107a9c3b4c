namespace MgbaBridge.Gateway.Operations;

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
    /// <summary>No parameters.</summary>
    public static Parameters<NoParameters> None { get; } = Always(default(NoParameters));

    /// <summary>No parameters, and always this value.</summary>
    public static Parameters<T> Always<T>(T value) =>
        new ParameterList<NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(null, null, null, null, null, null, null, null, null).Make<T>(_ => value);

    /// <summary>One parameter, whose value it is.</summary>
    public static Parameters<T> Of<T>(Parameter<T> parameter) => Of(parameter, static value => value);

    /// <summary>One parameter.</summary>
    public static Parameters<TResult> Of<T1, TResult>(
        Parameter<T1> one,
        Func<T1, TResult> make) =>
        new ParameterList<T1, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, null, null, null, null, null, null, null, null)
            .Make<TResult>(values => make(values.One));

    /// <summary>One parameter whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, TResult>(
        Parameter<T1> one,
        Func<T1, Made<TResult>> make) =>
        new ParameterList<T1, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, null, null, null, null, null, null, null, null)
            .Make<TResult>(values => make(values.One));

    /// <summary>Two parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, TResult>(
        Parameter<T1> one, Parameter<T2> two,
        Func<T1, T2, TResult> make) =>
        new ParameterList<T1, T2, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, null, null, null, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two));

    /// <summary>Two parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, TResult>(
        Parameter<T1> one, Parameter<T2> two,
        Func<T1, T2, Made<TResult>> make) =>
        new ParameterList<T1, T2, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, null, null, null, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two));

    /// <summary>Three parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three,
        Func<T1, T2, T3, TResult> make) =>
        new ParameterList<T1, T2, T3, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, three, null, null, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three));

    /// <summary>Three parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three,
        Func<T1, T2, T3, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, three, null, null, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three));

    /// <summary>Four parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four,
        Func<T1, T2, T3, T4, TResult> make) =>
        new ParameterList<T1, T2, T3, T4, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, three, four, null, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four));

    /// <summary>Four parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four,
        Func<T1, T2, T3, T4, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, T4, NoParameters, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, three, four, null, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four));

    /// <summary>Five parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five,
        Func<T1, T2, T3, T4, T5, TResult> make) =>
        new ParameterList<T1, T2, T3, T4, T5, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, three, four, five, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five));

    /// <summary>Five parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five,
        Func<T1, T2, T3, T4, T5, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, T4, T5, NoParameters, NoParameters, NoParameters, NoParameters>(one, two, three, four, five, null, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five));

    /// <summary>Six parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six,
        Func<T1, T2, T3, T4, T5, T6, TResult> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, NoParameters, NoParameters, NoParameters>(one, two, three, four, five, six, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six));

    /// <summary>Six parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six,
        Func<T1, T2, T3, T4, T5, T6, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, NoParameters, NoParameters, NoParameters>(one, two, three, four, five, six, null, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six));

    /// <summary>Seven parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven,
        Func<T1, T2, T3, T4, T5, T6, T7, TResult> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, T7, NoParameters, NoParameters>(one, two, three, four, five, six, seven, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six, values.Seven));

    /// <summary>Seven parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven,
        Func<T1, T2, T3, T4, T5, T6, T7, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, T7, NoParameters, NoParameters>(one, two, three, four, five, six, seven, null, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six, values.Seven));

    /// <summary>Eight parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, TResult> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, T7, T8, NoParameters>(one, two, three, four, five, six, seven, eight, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six, values.Seven, values.Eight));

    /// <summary>Eight parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, T7, T8, NoParameters>(one, two, three, four, five, six, seven, eight, null)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six, values.Seven, values.Eight));

    /// <summary>Nine parameters.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight, Parameter<T9> nine,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, T7, T8, T9>(one, two, three, four, five, six, seven, eight, nine)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six, values.Seven, values.Eight, values.Nine));

    /// <summary>Nine parameters whose values may not go together.</summary>
    public static Parameters<TResult> Of<T1, T2, T3, T4, T5, T6, T7, T8, T9, TResult>(
        Parameter<T1> one, Parameter<T2> two, Parameter<T3> three, Parameter<T4> four, Parameter<T5> five, Parameter<T6> six, Parameter<T7> seven, Parameter<T8> eight, Parameter<T9> nine,
        Func<T1, T2, T3, T4, T5, T6, T7, T8, T9, Made<TResult>> make) =>
        new ParameterList<T1, T2, T3, T4, T5, T6, T7, T8, T9>(one, two, three, four, five, six, seven, eight, nine)
            .Make<TResult>(values => make(values.One, values.Two, values.Three, values.Four, values.Five, values.Six, values.Seven, values.Eight, values.Nine));
}
