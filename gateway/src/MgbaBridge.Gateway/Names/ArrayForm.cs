using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Names;

/// <summary>Several of one form, side by side.</summary>
/// <param name="Item">The form of each.</param>
/// <param name="Count">How many.</param>
public sealed record ArrayForm(IValueForm Item, int Count) : IValueForm
{
    /// <inheritdoc/>
    public string Kind => $"{Item.Kind}[{Count}]";

    /// <inheritdoc/>
    public int Size => Item.Size * Count;

    /// <inheritdoc/>
    public ValueCost Cost => Item.Cost.Times(Count);

    /// <inheritdoc/>
    public JsonNode Read(ReadOnlySpan<byte> bytes)
    {
        var values = new JsonNode[Count];
        for (var index = 0; index < Count; index++)
        {
            values[index] = Item.Read(bytes[(index * Item.Size)..]);
        }

        return new JsonArray(values);
    }

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public bool TryPart(ReadOnlySpan<char> path, out int offset, out IValueForm part)
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
