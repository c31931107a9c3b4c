using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The layout of a value in memory, and its form in JSON.</summary>
public interface IValueType
{
    /// <summary>What it is, in a word: <c>u16</c>, <c>u16[10]</c>, <c>text</c>.</summary>
    string Kind { get; }

    /// <summary>How many bytes it takes.</summary>
    int Size { get; }

    /// <summary>What it takes to answer with it.</summary>
    ValueCost Cost { get; }

    /// <summary>The value in these bytes.</summary>
    JsonNode Read(ReadOnlySpan<byte> bytes);

    /// <summary>Puts a value into these bytes, all of them. Returns what is wrong with it, or null.</summary>
    string? Write(JsonElement value, Span<byte> bytes);

    /// <summary>A part of it: <c>[3]</c> of an array, <c>.name</c> of a struct. Others have none.</summary>
    bool TryPart(ReadOnlySpan<char> path, out int offset, out IValueType part)
    {
        (offset, part) = (0, this);
        return false;
    }
}

/// <summary>A number that is in no memory: a constant of the game's sources.</summary>
/// <param name="Value">The number.</param>
public sealed record ConstantType(long Value) : IValueType
{
    public string Kind => "constant";

    public int Size => 0;

    public ValueCost Cost => ValueCost.Of(20);

    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Value);

    public string Write(JsonElement value, Span<byte> bytes) => "A constant cannot be written.";
}

/// <summary>Bytes, in base64.</summary>
/// <param name="Size">How many.</param>
public sealed record BytesType(int Size) : IValueType
{
    public string Kind => "bytes";

    public ValueCost Cost => ValueCost.Of((Size + 2L) / 3 * 4);

    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Convert.ToBase64String(bytes));

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

/// <summary>A number.</summary>
/// <param name="Type">What it is.</param>
/// <param name="Endian">Which byte comes first.</param>
public sealed record ScalarType(NumberType Type, Endian Endian) : IValueType
{
    public string Kind => Type.Name();

    public int Size => Type.Bytes();

    public ValueCost Cost => ValueCost.Of(Type.Greatest().ToString(CultureInfo.InvariantCulture).Length);

    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Type.Read(bytes, Endian));

    public string? Write(JsonElement value, Span<byte> bytes)
    {
        if (!Integers.TryRead(value, out var number) || !Type.CanHold(number))
        {
            return $"A {Kind} is an integer from {-(1L << ((int)Type.Width() - 1))} to {(1L << (int)Type.Width()) - 1}; negative ones are written in two's complement.";
        }

        Type.Write(number, bytes, Endian);
        return null;
    }
}

/// <summary>A text.</summary>
/// <param name="Size">How many bytes it has.</param>
/// <param name="Table">The texts that they represent.</param>
public sealed record TextType(int Size, TextTable Table) : IValueType
{
    public string Kind => "text";

    public ValueCost Cost => ValueCost.Of((long)Size * Table.MaxText);

    public JsonNode Read(ReadOnlySpan<byte> bytes) => JsonValue.Create(Table.Decode(bytes));

    public string? Write(JsonElement value, Span<byte> bytes)
    {
        try
        {
            return value.ValueKind == JsonValueKind.String ? Table.Encode(value.GetString()!, bytes) : "The value has to be a text.";
        }
        catch (InvalidOperationException)
        {
            return "The value contains half of a surrogate pair, which is not valid text.";
        }
    }
}
