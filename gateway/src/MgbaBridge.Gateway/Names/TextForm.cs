using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Names;

/// <summary>A text.</summary>
/// <param name="Size">How many bytes it has.</param>
/// <param name="Table">What they stand for.</param>
public sealed record TextForm(int Size, TextTable Table) : IValueForm
{
    /// <inheritdoc/>
    public string Kind => "text";

    /// <inheritdoc/>
    public ValueCost Cost => ValueCost.Of((long)Size * Table.LongestText);

    /// <inheritdoc/>
    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Table.Decode(bytes));

    /// <inheritdoc/>
    public string? Write(JsonElement value, Span<byte> bytes)
    {
        try
        {
            return value.ValueKind == JsonValueKind.String ? Table.Encode(value.GetString()!, bytes) : "The value has to be a text.";
        }
        catch (InvalidOperationException)
        {
            return "The value has half of a surrogate pair in it, which is no text.";
        }
    }
}
