using System.Buffers;
using System.Numerics;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>Where an HTTP request has a parameter. All other interfaces take parameters as the properties of one JSON object.</summary>
public enum ParameterPlace
{
    /// <summary>A part of the path.</summary>
    Path,

    /// <summary>A query parameter.</summary>
    Query,

    /// <summary>A property of the JSON body.</summary>
    Property,

    /// <summary>The whole body, as bytes.</summary>
    Body,
}

/// <summary>
/// A parameter of operations, declared once: its name, type, range, default and a sentence. Path, query, header, body property, batch item, WebSocket
/// field, command-line option, OpenAPI parameter and error messages are made from it.
/// </summary>
/// <param name="Name">Its name.</param>
/// <param name="Sentence">What it means, as a sentence without its range and default.</param>
public abstract record Parameter(string Name, string Sentence)
{
    /// <summary>The most characters of a text that error messages quote.</summary>
    internal const int MaxQuoted = 64;

    // what people and models call parameters of common operations
    private static readonly (string Meant, string[] Words)[] OtherWords =
    [
        ("keys", ["button", "buttons", "key", "input", "inputs", "press", "action"]),
        ("frames", ["duration", "hold", "ticks", "count", "length", "holdFrames", "hold_frames"]),
        ("times", ["repeat", "repeats", "count"]),
        ("location", ["address", "addr", "offset", "place"]),
        ("places", ["addresses", "locations", "address", "location", "names", "place"]),
        ("place", ["address", "location", "name", "addr"]),
        ("condition", ["until", "expression", "when"]),
        ("name", ["slot", "state", "id"]),
    ];

    private byte[]? _utf8Name;

    /// <summary>An example of its value as text.</summary>
    public string? Example { get; init; }

    /// <summary>What the path of HTTP requests calls it.</summary>
    public string PathName { get; init; } = Name;

    /// <summary>Whether a request needs it.</summary>
    public bool IsRequired { get; init; } = true;

    /// <summary>Whether HTTP has it in the query where other parameters are properties of the body.</summary>
    public bool IsInQuery { get; init; }

    /// <summary>Whether its kind decodes the text of the query itself, because the text is encoded bytes.</summary>
    public bool IsEncoded { get; init; }

    /// <summary>Whether the command line takes it as an argument although it may be left out.</summary>
    public bool IsArgument { get; init; }

    /// <summary>Whether it is the id of an emulator, which the command line completes.</summary>
    public bool IsEmulator { get; init; }

    /// <summary>The values that it may have.</summary>
    public abstract ParameterShape Shape { get; }

    /// <summary>What it means, with its range and default.</summary>
    public string Description => (Shape.Range, Shape.Default) switch
    {
        (null, null) => Sentence,
        ({ } range, null) => $"{Sentence} {range}.",
        (null, { } value) => $"{Sentence} {value} unless given.",
        var (range, value) => $"{Sentence} {range}; {value} unless given.",
    };

    /// <summary>The name in UTF-8.</summary>
    internal ReadOnlyMemory<byte> Utf8Name => _utf8Name ??= Encoding.UTF8.GetBytes(Name);

    /// <summary>Whether it is a part of a path.</summary>
    internal bool IsIn(string path) => path.Contains($"{{{PathName}}}", StringComparison.Ordinal);

    /// <summary>The error when a request lacks it.</summary>
    internal string Missing => $"{Name} is missing; expected {Shape.Expected}.";

    /// <summary>An integer in a range; both ends are included.</summary>
    public static Parameter<T> Integer<T>(string name, T min, T max, string sentence)
        where T : struct, IBinaryInteger<T>, IMinMaxValue<T> => new(name, sentence, new IntegerKind<T>(min, max));

    /// <summary>A number in a range; both ends are included.</summary>
    public static Parameter<double> Number(string name, double min, double max, string sentence) => new(name, sentence, new NumberKind(min, max));

    /// <summary>True or false; false unless given.</summary>
    public static Parameter<bool> Flag(string name, string sentence) => new(name, sentence, BooleanKind.Instance) { IsRequired = false };

    /// <summary>A text.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="sentence">What it means.</param>
    /// <param name="maxLength">The most characters.</param>
    /// <param name="minLength">The fewest characters.</param>
    public static Parameter<string> Text(string name, string sentence, int maxLength = TextKind.DefaultLength, int minLength = 1) => new(name, sentence, new TextKind(minLength, maxLength));

    /// <summary>One of some texts.</summary>
    public static Parameter<string> OneOf(string name, string sentence, params IReadOnlyList<string> choices) => new(name, sentence, new OneOfKind(choices));

    /// <summary>A list of texts.</summary>
    public static Parameter<IReadOnlyList<string>> Texts(string name, string sentence, int min, int max, int maxLength = TextKind.DefaultLength) => new(name, sentence, new TextsKind(min, max, maxLength));

    /// <summary>One of the names of an enumeration.</summary>
    public static Parameter<T> Choice<T>(string name, string sentence, params ReadOnlySpan<T> values)
        where T : struct, Enum => new(name, sentence, new ChoiceKind<T>(values));

    /// <summary>A location in memory.</summary>
    public static Parameter<Location> Location(string name, string sentence) => new(name, sentence, LocationKind.Instance) { Example = "0x02000000" };

    /// <summary>Keys; at least one, or perhaps none.</summary>
    public static Parameter<KeySet> Keys(string name, string sentence, bool mayBeEmpty) => new(name, sentence, new KeySetKind(mayBeEmpty));

    /// <summary>Keys, or none, each of which is there once.</summary>
    public static Parameter<KeySet> DistinctKeys(string name, string sentence) => new(name, sentence, new KeySetKind(mayBeEmpty: true, isDistinct: true));

    /// <summary>A value that is read as JSON: a list, or an object with properties of its own.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="expected">What is expected, for error messages.</param>
    /// <param name="json">Its JSON.</param>
    /// <param name="sentence">What it means.</param>
    public static Parameter<T> Json<T>(string name, string expected, LazyJsonTypeInfo<T> json, string sentence) => new(name, sentence, new JsonKind<T>(json, expected));

    /// <summary>A list of objects whose properties are parameters.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="item">The parameters of an item, and what they make.</param>
    /// <param name="min">The fewest items.</param>
    /// <param name="max">The most items.</param>
    /// <param name="example">An example as JSON, for error messages.</param>
    /// <param name="sentence">What it means.</param>
    public static Parameter<IReadOnlyList<T>> List<T>(string name, Parameters<T> item, int min, int max, string example, string sentence) =>
        new(name, sentence, new ListKind<T>(item, min, max, example));

    /// <summary>An object whose properties are parameters.</summary>
    public static Parameter<T> Object<T>(string name, Parameters<T> parameters, string sentence) => new(name, sentence, new ObjectKind<T>(parameters));

    /// <summary>Bytes: the HTTP body, a binary message, or base64.</summary>
    public static Parameter<ReadOnlySequence<byte>?> Bytes(string name, string sentence) => new(name, sentence, BytesKind.Instance) { IsRequired = false };

    /// <summary>The error for a name that is none of these.</summary>
    internal static string Unknown(string name, IReadOnlyCollection<string> known) => known.Count == 0 ? $"There is no parameter {Quote(name)}; leave it out."
        : $"There is no parameter {Quote(name)}.{(Meant(name, known) is { } meant ? $" Did you mean {meant}?" : "")} The parameters are {string.Join(", ", known)}.";

    /// <summary>The known name for another word, or a misspelled one; null for none.</summary>
    internal static string? Meant(string name, IReadOnlyCollection<string> known) =>
        OtherWords.FirstOrDefault(row => known.Contains(row.Meant) && row.Words.Contains(name, StringComparer.OrdinalIgnoreCase)).Meant
        ?? NearestName.Near(name.Length <= MaxQuoted ? name : name[..MaxQuoted], known);

    /// <summary>A value as error messages quote it.</summary>
    internal static string Quote(string text) => text.Length <= MaxQuoted ? $"\"{text}\"" : $"a text of {text.Length} characters";
}

/// <summary>A parameter with values of a type.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Sentence">What it means, as a sentence without its range and default.</param>
/// <param name="Kind">The values that it may have.</param>
public sealed record Parameter<T>(string Name, string Sentence, ParameterKind<T> Kind) : Parameter(Name, Sentence)
{
    /// <summary>Its value when a request leaves it out.</summary>
    public T Default { get; init; } = default!;

    public override ParameterShape Shape => IsRequired || Default is null || Kind.Show(Default) is not { Length: > 0 } shown ? Kind.Shape : Kind.Shape with { Default = shown };

    /// <summary>The same parameter, with a value for requests that leave it out.</summary>
    public Parameter<T> Or(T value) => this with { Default = value, IsRequired = false };

    /// <summary>Reads text of a path, query, header or command line. Returns what is wrong with it, or null.</summary>
    internal string? Parse(string text, out T value) => Kind.TryParse(text, out value) ? null : Wrong(Quote(text));

    /// <summary>Reads the reader's present value. Returns what is wrong with it, or null.</summary>
    internal string? Read(ref Utf8JsonReader reader, out T value)
    {
        if (reader.TokenType == JsonTokenType.Null)
        {
            value = Default;
            return IsRequired ? Wrong("null") : null;
        }

        var token = reader.TokenType;
        try
        {
            return Kind.TryRead(ref reader, out value) ? null : Wrong(Shown(token, ref reader));
        }
        catch (JsonException exception)
        {
            value = Default;
            return $"{Name}{exception.Path?.TrimStart('$')}{(exception is ParameterException ? ": " : " is not of the documented form: ")}{exception.Message}";
        }
    }

    private string Wrong(string shown) => $"{Name} is {shown}; expected {Kind.Shape.Expected}.";

    private static string Shown(JsonTokenType token, ref Utf8JsonReader reader) => token switch
    {
        JsonTokenType.String => Quote(reader.GetString()!),
        JsonTokenType.Number => reader.HasValueSequence || reader.ValueSpan.Length > 32 ? "a long number" : Encoding.UTF8.GetString(reader.ValueSpan),
        JsonTokenType.True => "true",
        JsonTokenType.False => "false",
        JsonTokenType.StartArray => "a list",
        _ => "an object",
    };
}

/// <summary>Parameters that may be left out.</summary>
public static class ParameterExtensions
{
    /// <summary>The same parameter, which may be left out: its value is null then.</summary>
    /// <param name="parameter">The parameter.</param>
    /// <param name="otherwise">What holds without it, for documentation; null when <see cref="Parameter.Sentence"/> says so.</param>
    public static Parameter<T?> Optional<T>(this Parameter<T> parameter, string? otherwise = null)
        where T : struct => new(parameter.Name, parameter.Sentence, new OptionalKind<T>(parameter.Kind, otherwise))
        {
            IsRequired = false,
            IsInQuery = parameter.IsInQuery,
            IsArgument = parameter.IsArgument,
            Example = parameter.Example,
        };

    /// <summary>The same parameter, which may be left out: its value is null then.</summary>
    public static Parameter<T?> Optional<T>(this Parameter<T> parameter)
        where T : class => (parameter with { IsRequired = false })!;

    /// <summary>The same parameter, in the query of HTTP requests.</summary>
    public static Parameter<T> InQuery<T>(this Parameter<T> parameter) => parameter with { IsInQuery = true };
}
