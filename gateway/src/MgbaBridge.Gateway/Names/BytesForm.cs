using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Names;

/// <summary>Bytes, in base64.</summary>
/// <param name="Size">How many.</param>
public sealed record BytesForm(int Size) : IValueForm
{
    /// <inheritdoc/>
    public string Kind => "bytes";

    /// <inheritdoc/>
    public ValueCost Cost => ValueCost.Of((Size + 2L) / 3 * 4);

    /// <inheritdoc/>
    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Convert.ToBase64String(bytes));

    /// <inheritdoc/>
    public string? Write(JsonElement value, Span<byte> bytes)
    {
        if (value.ValueKind != JsonValueKind.String || !value.TryGetBytesFromBase64(out var given) || given.Length != Size)
        {
            return $"The value has to be {Size} bytes in base64.";
        }

        given.CopyTo(bytes);
        return null;
    }
}
