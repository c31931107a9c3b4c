using System.Buffers;
using System.Text.Json;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Operations.Emulators;

/// <summary>The parameters by which operations take options of emulators, made from their declarations.</summary>
internal static class EmulatorParameters
{
    /// <summary>The parameters of what these operations start.</summary>
    /// <param name="starter">The operations.</param>
    /// <param name="of">The options in a request.</param>
    /// <param name="with">A request with other options.</param>
    public static IEnumerable<RecordParameter<T>> Of<T>(EmulatorStarter starter, Func<T, EmulatorOptions> of, Func<T, EmulatorOptions, T> with) =>
        EmulatorOption.Of(starter).Select(RecordParameter<T> (option) => option switch
        {
            EmulatorOption<bool> flag => new RecordParameter<T, bool>(Parameter.Flag(option.Name, option.Sentence), (request, value) => with(request, flag.With(of(request), value))),
            EmulatorOption<double?> number => new RecordParameter<T, double?>(
                Parameter.Number(option.Name, 0, option.Max, option.Sentence).Optional(), (request, value) => with(request, number.With(of(request), value))),
            EmulatorOption<string?> text => new RecordParameter<T, string?>(
                Text(option).Optional(), (request, value) => with(request, text.With(of(request), value))),
            _ => throw new NotSupportedException($"Operations have no parameters for values as of {option.Name}."),
        });

    private static Parameter<string> Text(EmulatorOption option) =>
        option.Choices.Count > 0 ? Parameter.OneOf(option.Name, option.Sentence, option.Choices)
        : option.Format is { } format ? new Parameter<string>(option.Name, option.Sentence, new NameKind(format.Expected, TextKind.DefaultLength, format.IsValid))
        : Parameter.Text(option.Name, option.Sentence);
}

/// <summary>A parameter whose value a record takes.</summary>
internal abstract class RecordParameter<TRecord>
{
    /// <summary>The parameter.</summary>
    public abstract Parameter Parameter { get; }

    /// <summary>Reads the text of the parameter. Returns what is wrong with it, or null.</summary>
    public abstract string? Parse(string text, ref TRecord record);

    /// <summary>Reads the reader's present JSON value as that of the parameter. Returns what is wrong with it, or null.</summary>
    public abstract string? Read(ref Utf8JsonReader reader, ref TRecord record);
}

/// <summary>A parameter with values of a type, which a record takes.</summary>
internal sealed class RecordParameter<TRecord, T>(Parameter<T> parameter, Func<TRecord, T, TRecord> with) : RecordParameter<TRecord>
{
    public override Parameter Parameter => parameter;

    public override string? Parse(string text, ref TRecord record)
    {
        var wrong = parameter.Parse(text, out var value);
        record = wrong is null ? with(record, value) : record;
        return wrong;
    }

    public override string? Read(ref Utf8JsonReader reader, ref TRecord record)
    {
        var wrong = parameter.Read(ref reader, out var value);
        record = wrong is null ? with(record, value) : record;
        return wrong;
    }
}

/// <summary>Parameters whose values a record takes one after the other, any number of them. None has bytes.</summary>
/// <param name="unset">The record when a request leaves out all that it may.</param>
/// <param name="parameters">The parameters.</param>
internal sealed class RecordParameters<TRecord>(TRecord unset, IReadOnlyList<RecordParameter<TRecord>> parameters) : ParameterList<TRecord>
{
    public override IReadOnlyList<Parameter> All { get; } = [.. parameters.Select(static one => one.Parameter)];

    internal override void SetDefaults(ref TRecord values) => values = unset;

    internal override string? Parse(int index, string text, ref TRecord values) => parameters[index].Parse(text, ref values);

    internal override string? Read(int index, ref Utf8JsonReader reader, ref TRecord values) => parameters[index].Read(ref reader, ref values);

    internal override void SetBytes(ReadOnlySequence<byte> bytes, ref TRecord values)
    {
        // none has any
    }
}
