using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace MgbaBridge.Client.Validation;

/// <summary>Says what is wrong with a JSON text: the serializer speaks of .NET types, which mean nothing to who wrote it.</summary>
internal static class JsonMistake
{
    /// <summary>Why a value is refused that has to be there.</summary>
    public const string Null = "it cannot be null.";

    private const string HalfCharacter = "a name is not Unicode: it has half of a surrogate pair.";
    private const string WrongKind = "a value of the wrong kind, or out of range.";

    /// <summary>Where the mistake is and what it is, as in <c>properties.hp: it lacks 'at'.</c></summary>
    /// <param name="exception">What the serializer says.</param>
    /// <param name="json">The text.</param>
    /// <param name="type">What it was to become.</param>
    public static string Of(JsonException exception, ReadOnlySpan<byte> json, JsonTypeInfo type)
    {
        var place = exception.Path?.TrimStart('$').TrimStart('.') is { Length: > 0 } path ? $"{path}: " : "";
        return place + exception switch
        {
            JsonValueException => exception.Message,
            { InnerException: JsonException syntax } => OfSyntax(syntax),
            _ => Find(json, type, OffsetOf(exception, json)) ?? WrongKind,
        };
    }

    /// <summary>What the parser says of a text that is no JSON, without the place.</summary>
    public static string OfSyntax(JsonException exception) =>
        exception.Message.Replace($" LineNumber: {exception.LineNumber} | BytePositionInLine: {exception.BytePositionInLine}.", "", StringComparison.Ordinal);

    private static long OffsetOf(JsonException exception, ReadOnlySpan<byte> json)
    {
        var start = 0;
        for (var line = 0L; line < exception.LineNumber; line++)
        {
            start += json[start..].IndexOf((byte)'\n') + 1;
        }

        return start + (exception.BytePositionInLine ?? 0);
    }

    private static string? Find(ReadOnlySpan<byte> json, JsonTypeInfo type, long end)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { CommentHandling = type.Options.ReadCommentHandling, AllowTrailingCommas = type.Options.AllowTrailingCommas });
        try
        {
            reader.Read();
            return reader.TokenType == JsonTokenType.Null ? Null : FindInValue(ref reader, type, end);
        }
        catch (JsonException)
        {
            return null; // the mistake comes before what is no JSON
        }
        catch (InvalidOperationException)
        {
            return HalfCharacter; // what the reader throws for it
        }
    }

    private static string? FindInValue(ref Utf8JsonReader reader, JsonTypeInfo type, long end)
    {
        switch (type.Kind, reader.TokenType)
        {
            case (JsonTypeInfoKind.Object or JsonTypeInfoKind.Dictionary, JsonTokenType.StartObject):
                return FindInObject(ref reader, type, end);
            case (JsonTypeInfoKind.Enumerable, JsonTokenType.StartArray):
                return FindInList(ref reader, type, end);
            case (JsonTypeInfoKind.None, _):
                reader.Skip();
                return null;
            default:
                return WrongKind;
        }
    }

    private static string? FindInObject(ref Utf8JsonReader reader, JsonTypeInfo type, long end)
    {
        var names = new HashSet<string>();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName && reader.TokenStartIndex <= end)
        {
            var name = reader.GetString()!;
            var property = type.Properties.FirstOrDefault(known => known.Name == name);
            if (type.Kind == JsonTypeInfoKind.Object && property is null)
            {
                return $"there is no such field; the fields are {string.Join(", ", type.Properties.Select(known => known.Name))}.";
            }

            if (!names.Add(name))
            {
                return "it is there twice.";
            }

            reader.Read();
            if (reader.TokenType == JsonTokenType.Null && property is { IsSetNullable: false })
            {
                return Null;
            }

            if (reader.TokenType == JsonTokenType.Null || property?.CustomConverter is not null)
            {
                reader.Skip();
            }
            else if (FindInValue(ref reader, type.Options.GetTypeInfo(property?.PropertyType ?? type.ElementType!), end) is { } wrong)
            {
                return wrong;
            }
        }

        var missing = type.Properties.Where(property => property.IsRequired && !names.Contains(property.Name)).Select(property => $"'{property.Name}'").ToList();
        return missing.Count > 0 && reader.TokenType == JsonTokenType.EndObject && reader.TokenStartIndex <= end ? $"it lacks {string.Join(", ", missing)}." : null;
    }

    private static string? FindInList(ref Utf8JsonReader reader, JsonTypeInfo type, long end)
    {
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray && reader.TokenStartIndex <= end)
        {
            if (reader.TokenType != JsonTokenType.Null && FindInValue(ref reader, type.Options.GetTypeInfo(type.ElementType!), end) is { } wrong)
            {
                return wrong;
            }
        }

        return null;
    }
}

/// <summary>A JSON value is wrong, as a converter says in words for who wrote it.</summary>
/// <param name="message">What is wrong with it.</param>
internal sealed class JsonValueException(string message) : JsonException(message);
