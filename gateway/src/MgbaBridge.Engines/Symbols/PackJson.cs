using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Validation;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Reads a number or a name.</summary>
public sealed class PackNumberConverter : JsonConverter<PackNumber>
{
    public override PackNumber Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.TokenType switch
    {
        JsonTokenType.Number when Integers.TryRead(ref reader, out var number) => new PackNumber(number, null),
        JsonTokenType.String when reader.GetString() is { Length: > 0 } text => Integers.TryParse(text, out var number) ? new PackNumber(number, null) : new PackNumber(0, text),
        _ => throw new JsonValueException("A number is expected, such as 8, or the name of a place in memory, such as \"player.x\"."),
    };

    public override void Write(Utf8JsonWriter writer, PackNumber value, JsonSerializerOptions options)
    {
        if (value.Place is { } place)
        {
            writer.WriteStringValue(place);
        }
        else
        {
            writer.WriteNumberValue(value.Value);
        }
    }
}

/// <summary>Reads a list of numbers or a name.</summary>
public sealed class PackNumbersConverter : JsonConverter<PackNumbers>
{
    public override PackNumbers Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String && reader.GetString() is { Length: > 0 } place ? new PackNumbers(null, place)
        : new PackNumbers(JsonNumbers.Read(ref reader, null, "A list of numbers is expected, such as [0, 4], or the name of a list in memory."), null);

    public override void Write(Utf8JsonWriter writer, PackNumbers value, JsonSerializerOptions options)
    {
        if (value.Place is { } place)
        {
            writer.WriteStringValue(place);
        }
        else
        {
            JsonNumbers.Write(writer, value.Values ?? []);
        }
    }
}

/// <summary>Reads four lengths.</summary>
public sealed class PackBoxConverter : JsonConverter<PackBox>
{
    public override PackBox Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var numbers = JsonNumbers.Read(ref reader, 4, "Four numbers are expected: left, top, right and bottom, such as [4, 5, 3, 0].");
        return new PackBox((int)numbers[0], (int)numbers[1], (int)numbers[2], (int)numbers[3]);
    }

    public override void Write(Utf8JsonWriter writer, PackBox value, JsonSerializerOptions options) => JsonNumbers.Write(writer, [value.Left, value.Up, value.Right, value.Down]);
}

/// <summary>Reads two lengths.</summary>
public sealed class PackSizeConverter : JsonConverter<PackSize>
{
    public override PackSize Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var numbers = JsonNumbers.Read(ref reader, 2, "Two numbers are expected, from left to right and from top to bottom, such as [11, 7].");
        return new PackSize((int)numbers[0], (int)numbers[1]);
    }

    public override void Write(Utf8JsonWriter writer, PackSize value, JsonSerializerOptions options) => JsonNumbers.Write(writer, [value.X, value.Y]);
}

/// <summary>Reads a direction.</summary>
public sealed class PackSideConverter : JsonConverter<PackSide>
{
    public override PackSide Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType == JsonTokenType.String && Enum.TryParse<PackSide>(reader.GetString(), out var side) && Enum.IsDefined(side)
            ? side
            : throw new JsonValueException($"A side is expected, one of {string.Join(", ", Enum.GetNames<PackSide>())}.");

    public override void Write(Utf8JsonWriter writer, PackSide value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}

/// <summary>Reads a condition.</summary>
public sealed class ConditionConverter : JsonConverter<Condition>
{
    public override Condition Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        reader.TokenType != JsonTokenType.String ? throw new JsonValueException($"A condition is expected. {Condition.ExpectedFormat}")
        : !Condition.TryParse(reader.GetString()!, out var condition, out var wrong) ? throw new JsonValueException(wrong)
        : condition.HasChanged ? throw new JsonValueException("changed has no meaning in a pack: there is no moment before. Compare with a number.")
        : condition;

    public override void Write(Utf8JsonWriter writer, Condition value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}

/// <summary>Reads a key, or several at once.</summary>
public sealed class KeyConverter : JsonConverter<KeySet>
{
    private const int MaxKeys = 10;

    internal static readonly KeySet A = KeySet.Parse("A");
    internal static readonly KeySet Up = KeySet.Parse("Up");
    internal static readonly KeySet Down = KeySet.Parse("Down");

    public override KeySet Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var names = new List<string>();
        var isList = reader.TokenType == JsonTokenType.StartArray;
        while (!isList || reader.Read())
        {
            if (reader.TokenType != JsonTokenType.String)
            {
                break;
            }

            names.Add(reader.GetString()!);
            if (!isList)
            {
                break;
            }
        }

        return names.Count is > 0 and <= MaxKeys && (!isList || reader.TokenType == JsonTokenType.EndArray) && KeySet.TryParse(string.Join('+', names), out var keys) && keys.Count > 0
            ? keys
            : throw new JsonValueException($"A key is expected, such as \"A\". {KeySet.NamesHint}.");
    }

    public override void Write(Utf8JsonWriter writer, KeySet value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}

/// <summary>Lists of whole numbers in JSON.</summary>
internal static class JsonNumbers
{
    private const int MaxNumbers = 4_096;

    public static List<long> Read(ref Utf8JsonReader reader, int? count, string expected)
    {
        var numbers = new List<long>();
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw new JsonValueException(expected);
        }

        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (reader.TokenType != JsonTokenType.Number || !Integers.TryRead(ref reader, out var number) || number is < int.MinValue or > uint.MaxValue || numbers.Count == MaxNumbers)
            {
                throw new JsonValueException(expected);
            }

            numbers.Add(number);
        }

        return count is null || numbers.Count == count ? numbers : throw new JsonValueException(expected);
    }

    public static void Write(Utf8JsonWriter writer, IEnumerable<long> numbers)
    {
        writer.WriteStartArray();
        foreach (var number in numbers)
        {
            writer.WriteNumberValue(number);
        }

        writer.WriteEndArray();
    }
}
