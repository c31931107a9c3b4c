using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Names;

/// <summary>Fields, each at its place.</summary>
/// <param name="Size">How many bytes it takes.</param>
/// <param name="Fields">The fields by name.</param>
public sealed record StructForm(int Size, IReadOnlyDictionary<string, StructField> Fields) : IValueForm
{
    /// <inheritdoc/>
    public string Kind => "struct";

    /// <inheritdoc/>
    public ValueCost Cost { get; } = Fields.Aggregate(default(ValueCost), (sum, field) => sum + field.Value.Form.Cost.Named(field.Key)).Inside();

    /// <inheritdoc/>
    public JsonNode Read(ReadOnlySpan<byte> bytes)
    {
        var value = new JsonObject();
        foreach (var (name, field) in Fields)
        {
            value[name] = field.Form.Read(bytes[field.At..]);
        }

        return value;
    }

    // what lies between the fields is not ours to write
    /// <inheritdoc/>
    public string? Write(JsonElement value, Span<byte> bytes) => "A struct is written field by field: put .name behind.";

    /// <inheritdoc/>
    public bool TryPart(ReadOnlySpan<char> path, out int offset, out IValueForm part)
    {
        (offset, part) = (0, this);
        if (path is not ['.', ..] || !Fields.TryGetValue(path[1..].ToString(), out var field))
        {
            return false;
        }

        (offset, part) = (field.At, field.Form);
        return true;
    }
}
