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
    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Table.Decode(bytes));

    /// <inheritdoc/>
    public string? Write(JsonElement value, Span<byte> bytes) =>
        value.ValueKind == JsonValueKind.String ? Table.Encode(value.GetString()!, bytes) : "The value has to be a text.";
}
