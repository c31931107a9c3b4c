using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Api.Operations;

/// <summary>Everything that can be an item of a batch. Reads lists of items from JSON.</summary>
internal sealed class BatchEntries : JsonConverter<IReadOnlyList<BatchItem>>
{
    // the name that all requests give to their list of items
    private const string Path = "$.items";

    private readonly BatchEntry[] _all;
    private readonly BatchItem _invalid;

    /// <summary>Collects the entries, once.</summary>
    public BatchEntries(IEnumerable<BatchEntry> entries)
    {
        _all = [.. entries];
        var names = _all.Select(entry => entry.Name).ToArray();
        _invalid = new BatchItem.Invalid(
            $"Each item is exactly one of {string.Join(", ", names[..^1])} and {names[^1]}, as in {{\"read\": {{\"location\": \"0x02000000\", \"type\": \"u8\"}}}}.");
    }

    /// <summary>All entries.</summary>
    public IReadOnlyList<BatchEntry> All => _all;

    /// <summary>The options of a JSON context whose requests contain lists of items.</summary>
    public JsonSerializerOptions OptionsFrom(JsonSerializerOptions options) => new(options) { Converters = { this } };

    /// <inheritdoc/>
    public override IReadOnlyList<BatchItem> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
        {
            throw WrongKind(Path);
        }

        var items = new List<BatchItem>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            items.Add(reader.TokenType switch
            {
                JsonTokenType.StartObject => ReadItem(ref reader, items.Count),
                JsonTokenType.Null => _invalid,
                _ => throw WrongKind($"{Path}[{items.Count}]"),
            });
        }

        return items;
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, IReadOnlyList<BatchItem> value, JsonSerializerOptions options) => throw new NotSupportedException("Items are only read.");

    private static JsonException WrongKind(string path) => new("The JSON value could not be converted to an item.", path, null, null);

    private BatchItem ReadItem(ref Utf8JsonReader reader, int index)
    {
        var (item, given) = (default(BatchItem), default(BatchEntry));
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (Find(ref reader) is not { } entry)
            {
                throw new JsonException("The JSON property could not be mapped to an entry.", $"{Path}[{index}].{reader.GetString()}", null, null);
            }

            reader.Read();
            if (reader.TokenType != JsonTokenType.Null)
            {
                var read = Read(entry, ref reader, index);
                item = given is null ? read : _invalid;
                given = entry;
            }
        }

        return item ?? _invalid;
    }

    private BatchEntry? Find(ref Utf8JsonReader reader)
    {
        foreach (var entry in _all)
        {
            if (reader.ValueTextEquals(entry.Utf8Name.Span))
            {
                return entry;
            }
        }

        return null;
    }

    private static BatchItem Read(BatchEntry entry, ref Utf8JsonReader reader, int index)
    {
        try
        {
            return entry.Read(ref reader);
        }
        catch (ParameterException exception)
        {
            throw new ParameterException(exception.Message, $"{Path}[{index}].{entry.Name}");
        }
        catch (JsonException exception)
        {
            throw new JsonException(exception.Message, $"{Path}[{index}].{entry.Name}{exception.Path?[1..]}", null, null, exception);
        }
    }
}
