using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Names;

/// <summary>A number.</summary>
/// <param name="Type">What it is.</param>
/// <param name="Endian">Which byte comes first.</param>
public sealed record NumberForm(NumberType Type, Endian Endian) : IValueForm
{
    /// <inheritdoc/>
    public string Kind => Type.ToString().ToLowerInvariant();

    /// <inheritdoc/>
    public int Size => Type.Bytes();

    /// <inheritdoc/>
    public ValueCost Cost => ValueCost.Of(Type.Greatest().ToString(CultureInfo.InvariantCulture).Length);

    /// <inheritdoc/>
    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Type.Read(bytes, Endian));

    /// <inheritdoc/>
    public string? Write(JsonElement value, Span<byte> bytes)
    {
        if (value.ValueKind != JsonValueKind.Number || !value.TryGetInt64(out var number) || !Type.CanHold(number))
        {
            return $"A {Type.ToString().ToLowerInvariant()} is a whole number from {-(1L << ((int)Type.Width() - 1))} to {(1L << (int)Type.Width()) - 1}; negative ones are written in two's complement.";
        }

        Type.Write(number, bytes, Endian);
        return null;
    }
}
