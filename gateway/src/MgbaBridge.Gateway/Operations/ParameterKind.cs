using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations;

/// <summary>The values that a parameter may have, for documentation and error messages.</summary>
/// <param name="JsonType">The type in JSON: <c>integer</c>, <c>number</c>, <c>boolean</c>, <c>string</c>, <c>array</c> or <c>object</c>.</param>
/// <param name="Expected">What is expected, as in "expected an integer from 1 to 8".</param>
public record ParameterShape(string JsonType, string Expected)
{
    /// <summary>The least number.</summary>
    public decimal? Min { get; init; }

    /// <summary>The greatest number.</summary>
    public decimal? Max { get; init; }

    /// <summary>The fewest characters.</summary>
    public int? MinLength { get; init; }

    /// <summary>The most characters, of a list of each text.</summary>
    public int? MaxLength { get; init; }

    /// <summary>The fewest items of a list.</summary>
    public int? MinItems { get; init; }

    /// <summary>The most items of a list.</summary>
    public int? MaxItems { get; init; }

    /// <summary>The type of the items of a list that are no objects.</summary>
    public string ItemType { get; init; } = "string";

    /// <summary>What separates the items of a text that is a list; null when it is none.</summary>
    public string? Separator { get; init; }

    /// <summary>Whether a text may be JSON.</summary>
    public bool TakesJson { get; init; }

    /// <summary>The texts that it may be, or that the items of a list may be; empty for any.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>The format in JSON Schema, such as <c>byte</c> for base64.</summary>
    public string? Format { get; init; }

    /// <summary>The value when it is left out.</summary>
    public string? Default { get; init; }

    /// <summary>The type whose JSON schema describes it; null when this shape does.</summary>
    public LazyJsonTypeInfo? Model { get; init; }

    /// <summary>The parameters that are properties of each item of a list; null when the items are no objects.</summary>
    public IReadOnlyList<Parameter>? Items { get; init; }

    /// <summary>The parameters that are properties of an object; null when it is none.</summary>
    public IReadOnlyList<Parameter>? Properties { get; init; }

    /// <summary>One of some texts.</summary>
    public static ParameterShape OneOf(IReadOnlyList<string> choices) =>
        new("string", choices.Count == 1 ? choices[0] : $"{string.Join(", ", choices.SkipLast(1))} or {choices[^1]}") { Choices = choices };

    /// <summary>The range as text, such as <c>1 to 8</c>; null for none.</summary>
    public string? Range => (Min, Max, Choices) switch
    {
        (_, _, { Count: > 0 } choices) when JsonType == "string" => $"One of {string.Join(", ", choices)}",
        ({ } min, { } max, _) => string.Create(CultureInfo.InvariantCulture, $"{min} to {max}"),
        ({ } min, null, _) => string.Create(CultureInfo.InvariantCulture, $"{min} or more"),
        _ => null,
    };
}

/// <summary>How the values of parameters are read, shown and described.</summary>
public abstract class ParameterKind<T>
{
    /// <summary>What they are.</summary>
    public abstract ParameterShape Shape { get; }

    /// <summary>A value as text.</summary>
    public virtual string Show(T value) => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";

    /// <summary>Reads text. Lists and objects have none.</summary>
    internal virtual bool TryParse(string text, out T value)
    {
        value = default!;
        return false;
    }

    /// <summary>Reads the reader's present JSON value.</summary>
    /// <exception cref="JsonException">It is not one; the message says why.</exception>
    internal abstract bool TryRead(ref Utf8JsonReader reader, out T value);
}

/// <summary>Integers in a range.</summary>
internal sealed class IntegerKind<T>(T min, T max) : ParameterKind<T>
    where T : struct, IBinaryInteger<T>, IMinMaxValue<T>
{
    public override ParameterShape Shape { get; } = new("integer", (HasMin(min), max == T.MaxValue) switch
    {
        (true, true) => $"an integer of at least {min}",
        (false, true) => "an integer",
        _ => $"an integer from {min} to {max}",
    })
    {
        Min = HasMin(min) ? decimal.CreateChecked(min) : null,
        Max = max == T.MaxValue ? null : decimal.CreateChecked(max),
    };

    internal override bool TryParse(string text, out T value)
    {
        var isInteger = Integers.TryParseDecimal(text, out var number) && IsInRange(number);
        value = T.CreateTruncating(number);
        return isInteger;
    }

    internal override bool TryRead(ref Utf8JsonReader reader, out T value)
    {
        value = default;
        if (!Integers.TryRead(ref reader, out var number) || !IsInRange(number))
        {
            return false;
        }

        value = T.CreateTruncating(number);
        return true;
    }

    private bool IsInRange(long number) => number >= long.CreateSaturating(min) && number <= long.CreateSaturating(max);

    private static bool HasMin(T min) => min != T.MinValue || !T.IsNegative(min);
}

/// <summary>Numbers in a range.</summary>
internal sealed class NumberKind(double min, double max) : ParameterKind<double>
{
    public override ParameterShape Shape { get; } = new("number", string.Create(CultureInfo.InvariantCulture, $"a number from {min} to {max}")) { Min = (decimal)min, Max = (decimal)max };

    internal override bool TryParse(string text, out double value) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent | NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && value >= min && value <= max;

    internal override bool TryRead(ref Utf8JsonReader reader, out double value)
    {
        value = 0;
        return reader.TokenType == JsonTokenType.Number && reader.TryGetDouble(out value) && value >= min && value <= max;
    }
}

/// <summary>True and false.</summary>
internal sealed class BooleanKind : ParameterKind<bool>
{
    /// <summary>The only one.</summary>
    public static BooleanKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("boolean", "true or false");

    internal override bool TryParse(string text, out bool value) => bool.TryParse(text, out value);

    public override string Show(bool value) => value ? "true" : "false";

    internal override bool TryRead(ref Utf8JsonReader reader, out bool value)
    {
        value = reader.TokenType == JsonTokenType.True;
        return value || reader.TokenType == JsonTokenType.False;
    }
}

/// <summary>Values that are a text in JSON, the same as elsewhere.</summary>
internal abstract class WrittenKind<T> : ParameterKind<T>
{
    internal sealed override bool TryRead(ref Utf8JsonReader reader, out T value)
    {
        value = default!;
        return reader.TokenType == JsonTokenType.String && TryParse(reader.GetString()!, out value);
    }
}

/// <summary>Texts.</summary>
/// <param name="minLength">The fewest characters.</param>
/// <param name="maxLength">The most characters.</param>
/// <param name="takesJson">Whether a text may be JSON.</param>
internal sealed class TextKind(int minLength, int maxLength, bool takesJson = false) : WrittenKind<string>
{
    /// <summary>The most characters of most texts.</summary>
    public const int DefaultLength = 4_096;

    public override ParameterShape Shape { get; } = new("string", $"a text of {minLength} to {maxLength} characters") { MinLength = minLength == 0 ? null : minLength, MaxLength = maxLength, TakesJson = takesJson };

    internal override bool TryParse(string text, out string value)
    {
        value = text;
        return text.Length >= minLength && text.Length <= maxLength && !text.Contains('\0', StringComparison.Ordinal);
    }
}

/// <summary>Names that follow a rule.</summary>
/// <param name="format">The rule, as people read it.</param>
/// <param name="maxLength">The most characters.</param>
/// <param name="isValid">Whether a text follows it.</param>
internal sealed class NameKind(string format, int maxLength, Func<string, bool> isValid) : WrittenKind<string>
{
    public override ParameterShape Shape { get; } = new("string", format) { MaxLength = maxLength };

    internal override bool TryParse(string text, out string value)
    {
        value = text;
        return isValid(text);
    }
}

/// <summary>The names of an enumeration, in camel case.</summary>
internal sealed class ChoiceKind<T> : WrittenKind<T>
    where T : struct, Enum
{
    private readonly Dictionary<string, T> _values;

    /// <summary>Names of these values; of all when there is none.</summary>
    public ChoiceKind(ReadOnlySpan<T> values)
    {
        _values = (values.IsEmpty ? Enum.GetValues<T>() : values.ToArray()).ToDictionary(Show, StringComparer.OrdinalIgnoreCase);
        var names = _values.Keys.ToArray();
        Shape = ParameterShape.OneOf(names);
    }

    public override ParameterShape Shape { get; }

    public override string Show(T value) => JsonNamingPolicy.CamelCase.ConvertName(value.ToString());

    internal override bool TryParse(string text, out T value) => _values.TryGetValue(text, out value);
}

/// <summary>One of some texts.</summary>
internal sealed class OneOfKind(params IReadOnlyList<string> choices) : WrittenKind<string>
{
    public override ParameterShape Shape { get; } = ParameterShape.OneOf(choices);

    internal override bool TryParse(string text, out string value)
    {
        value = choices.FirstOrDefault(choice => choice.Equals(text, StringComparison.OrdinalIgnoreCase)) ?? text;
        return choices.Contains(value);
    }
}

/// <summary>Lists of texts.</summary>
internal sealed class TextsKind(int min, int max, int maxLength) : ParameterKind<IReadOnlyList<string>>
{
    public override ParameterShape Shape { get; } = new("array", $"a list of {min} to {max} texts of at most {maxLength} characters") { MinItems = min, MaxItems = max, MaxLength = maxLength };

    internal override bool TryParse(string text, out IReadOnlyList<string> value)
    {
        value = text.Split(',');
        return value.Count >= min && value.Count <= max && value.All(text => text.Length <= maxLength);
    }

    internal override bool TryRead(ref Utf8JsonReader reader, out IReadOnlyList<string> value)
    {
        var texts = new List<string>();
        value = texts;
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            return false;
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.String && texts.Count <= max)
        {
            texts.Add(reader.GetString()!);
        }

        return reader.TokenType == JsonTokenType.EndArray && texts.Count >= min && texts.Count <= max && texts.TrueForAll(text => text.Length <= maxLength);
    }
}

/// <summary>Locations in memory.</summary>
internal sealed class LocationKind : WrittenKind<Location>
{
    /// <summary>The only one.</summary>
    public static LocationKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("string", "an address such as 0x02000000 or 33554432, or an offset in a domain such as wram:0x10");

    internal override bool TryParse(string text, out Location value) => Location.TryParse(text, out value);
}

/// <summary>Sets of keys.</summary>
internal sealed class KeySetKind(bool mayBeEmpty, bool isDistinct = false) : ParameterKind<KeySet>
{
    private static readonly KeySetConverter Converter = new();

    public override ParameterShape Shape { get; } = new("array", $"{(mayBeEmpty ? "" : "at least one of ")}{string.Join(", ", KeySet.Names)}, as in [\"A\", \"Up\"] or \"A+Up\"")
    {
        Choices = KeySet.Names,
    };

    internal override bool TryParse(string text, out KeySet value) => KeySet.TryParse(text, out value) && (mayBeEmpty || value.Count > 0);

    internal override bool TryRead(ref Utf8JsonReader reader, out KeySet value)
    {
        value = default;
        if (reader.TokenType is not (JsonTokenType.StartArray or JsonTokenType.String))
        {
            return false;
        }

        var names = reader;
        value = Converter.Read(ref reader, typeof(KeySet), OperationJson.Default.Options);
        return isDistinct && NamesOf(names) > value.Count ? throw new ParameterException("a key is there twice; name it once.") : mayBeEmpty || value.Count > 0;
    }

    private static int NamesOf(Utf8JsonReader reader)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            return reader.GetString()!.Split('+', StringSplitOptions.RemoveEmptyEntries).Length;
        }

        var names = 0;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            names++;
        }

        return names;
    }
}

/// <summary>Presses one after the other, as text.</summary>
/// <param name="needsFrames">Whether each step needs its number of frames; without, a step that has none has 0.</param>
internal sealed class KeySequenceKind(bool needsFrames) : ParameterKind<KeySequence>
{
    public override ParameterShape Shape { get; } = new("string", $"{(needsFrames ? "keys and frames, such as A 4" : "keys, perhaps with frames, such as A")}, wait 10 or Up+B 2, also with sensors: Up tilt 10/0 4. {KeySet.NamesHint}") { MaxLength = 16_384, Separator = ", " };

    internal override bool TryParse(string text, out KeySequence value) => Parse(text, out value) is null;

    internal override bool TryRead(ref Utf8JsonReader reader, out KeySequence value)
    {
        value = null!;
        return reader.TokenType == JsonTokenType.String
            && (Parse(reader.GetString()!, out value) is not { } wrong ? true : throw new ParameterException($"{Parameter.Quote(wrong)} is not a step; expected {Shape.Expected}."));
    }

    private string? Parse(string text, out KeySequence value)
    {
        value = null!;
        return text.Length > Shape.MaxLength ? text : KeySequence.Parse(text, needsFrames ? null : 0, out value);
    }
}

/// <summary>Conditions on numbers in memory, as text.</summary>
internal sealed class ConditionKind : ParameterKind<Condition>
{
    /// <summary>The only one.</summary>
    public static ConditionKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("string", "a condition such as player.hp < 10 and 0x02000008 u32 >= 100") { MaxLength = Condition.MaxText, Separator = " and " };

    internal override bool TryParse(string text, out Condition value) => Condition.TryParse(text, out value!, out _);

    internal override bool TryRead(ref Utf8JsonReader reader, out Condition value)
    {
        value = null!;
        return reader.TokenType == JsonTokenType.String && (Condition.TryParse(reader.GetString()!, out value!, out var wrong) ? true : throw new ParameterException(wrong));
    }
}

/// <summary>Values that are read as JSON.</summary>
internal sealed class JsonKind<T>(LazyJsonTypeInfo<T> json, string expected) : ParameterKind<T>
{
    public override ParameterShape Shape { get; } = new("object", expected) { Model = json };

    internal override bool TryParse(string text, out T value)
    {
        value = default!;
        try
        {
            return JsonSerializer.Deserialize(text, json.Value) is { } read && (value = read) is not null;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    internal override bool TryRead(ref Utf8JsonReader reader, out T value)
    {
        value = JsonSerializer.Deserialize(ref reader, json.Value)!;
        return value is not null;
    }
}

/// <summary>Lists of objects whose properties are parameters.</summary>
internal sealed class ListKind<T>(Parameters<T> item, int min, int max, string example) : ParameterKind<IReadOnlyList<T>>
{
    public override ParameterShape Shape { get; } = new("array", $"a list of {min} to {max} objects, as in {example}") { MinItems = min, MaxItems = max, Items = item.All };

    internal override bool TryRead(ref Utf8JsonReader reader, out IReadOnlyList<T> value)
    {
        var items = new List<T>();
        value = items;
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            return false;
        }

        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (items.Count == max)
            {
                throw new ParameterException($"there are more than {max} items.");
            }

            items.Add(item.ReadJson(ref reader, null, out var read) is { } wrong ? throw new ParameterException(wrong, $"$[{items.Count}]") : read);
        }

        return items.Count >= min ? true : throw new ParameterException($"there are {items.Count} items; expected {Shape.Expected}.");
    }
}

/// <summary>Objects whose properties are parameters.</summary>
internal sealed class ObjectKind<T>(Parameters<T> parameters) : ParameterKind<T>
{
    public override ParameterShape Shape { get; } = new("object", $"an object with {string.Join(", ", parameters.All.Select(parameter => parameter.Name))}") { Properties = parameters.All };

    internal override bool TryRead(ref Utf8JsonReader reader, out T value) =>
        parameters.ReadJson(ref reader, null, out value) is { } wrong ? throw new ParameterException(wrong) : true;
}

/// <summary>Bytes; base64 in JSON.</summary>
internal sealed class BytesKind : ParameterKind<ReadOnlySequence<byte>?>
{
    /// <summary>The only one.</summary>
    public static BytesKind Instance { get; } = new();

    public override ParameterShape Shape { get; } = new("string", "bytes in base64") { Format = "byte" };

    internal override bool TryParse(string text, out ReadOnlySequence<byte>? value)
    {
        var bytes = new byte[text.Length];
        var isBase64 = Convert.TryFromBase64String(text, bytes, out var length);
        value = new ReadOnlySequence<byte>(bytes, 0, length);
        return isBase64;
    }

    internal override bool TryRead(ref Utf8JsonReader reader, out ReadOnlySequence<byte>? value)
    {
        value = null;
        if (reader.TokenType != JsonTokenType.String || !reader.TryGetBytesFromBase64(out var bytes))
        {
            return false;
        }

        value = new ReadOnlySequence<byte>(bytes);
        return true;
    }
}

/// <summary>Values of another kind, or null.</summary>
internal sealed class OptionalKind<T>(ParameterKind<T> kind, string? otherwise) : ParameterKind<T?>
    where T : struct
{
    public override ParameterShape Shape { get; } = kind.Shape with { Default = otherwise };

    internal override bool TryParse(string text, out T? value)
    {
        var isParsed = kind.TryParse(text, out var read);
        value = read;
        return isParsed;
    }

    internal override bool TryRead(ref Utf8JsonReader reader, out T? value)
    {
        var isRead = kind.TryRead(ref reader, out var read);
        value = read;
        return isRead;
    }
}
