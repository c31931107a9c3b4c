using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Engines.Symbols;

/// <summary>Several of one form, side by side.</summary>
/// <param name="Item">The form of each.</param>
/// <param name="Count">How many.</param>
public sealed record ArrayType(IValueType Item, int Count) : IValueType
{
    public string Kind => $"{Item.Kind}[{Count}]";

    public int Size => Item.Size * Count;

    public ValueCost Cost => Item.Cost.Times(Count);

    public JsonNode Read(ReadOnlySpan<byte> bytes)
    {
        var values = new JsonNode[Count];
        for (var index = 0; index < Count; index++)
        {
            values[index] = Item.Read(bytes.Slice(index * Item.Size, Item.Size));
        }

        return new JsonArray(values);
    }

    public string? Write(JsonElement value, Span<byte> bytes)
    {
        if (value.ValueKind != JsonValueKind.Array || value.GetArrayLength() != Count)
        {
            return $"The value has to be a list of {Count}.";
        }

        var index = 0;
        foreach (var item in value.EnumerateArray())
        {
            if (Item.Write(item, bytes.Slice(index * Item.Size, Item.Size)) is { } wrong)
            {
                return $"[{index}]: {wrong}";
            }

            index++;
        }

        return null;
    }

    public bool TryPart(ReadOnlySpan<char> path, out int offset, out IValueType part)
    {
        part = Item;
        offset = 0;
        if (path is not ['[', .., ']'] || !int.TryParse(path[1..^1], NumberStyles.None, CultureInfo.InvariantCulture, out var index) || index >= Count)
        {
            return false;
        }

        offset = index * Item.Size;
        return true;
    }
}

/// <summary>Fields, each at its place.</summary>
/// <param name="Size">How many bytes it takes.</param>
/// <param name="Fields">The fields by name.</param>
public sealed record StructType(int Size, IReadOnlyDictionary<string, StructField> Fields) : IValueType
{
    public string Kind => "struct";

    public ValueCost Cost { get; } = Fields.Aggregate(default(ValueCost), (sum, field) => sum + field.Value.Type.Cost.Named(field.Key)).Inside();

    public JsonNode Read(ReadOnlySpan<byte> bytes)
    {
        var value = new JsonObject();
        foreach (var (name, field) in Fields)
        {
            value[name] = field.Type.Read(bytes.Slice(field.At, field.Type.Size));
        }

        return value;
    }

    // bytes between the fields must not be written
    public string? Write(JsonElement value, Span<byte> bytes) => "A struct is written field by field: put .name behind.";

    public bool TryPart(ReadOnlySpan<char> path, out int offset, out IValueType part)
    {
        (offset, part) = (0, this);
        if (path is not ['.', ..] || !Fields.TryGetValue(path[1..].ToString(), out var field))
        {
            return false;
        }

        (offset, part) = (field.At, field.Type);
        return true;
    }
}

/// <summary>A field of a struct.</summary>
/// <param name="At">Its offset in bytes.</param>
/// <param name="Type">What it is.</param>
public sealed record StructField(int At, IValueType Type);
