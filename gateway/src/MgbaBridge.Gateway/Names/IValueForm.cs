using System.Text.Json;
using System.Text.Json.Nodes;

namespace MgbaBridge.Gateway.Names;

/// <summary>How a value lies in memory, and what it is in JSON.</summary>
public interface IValueForm
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
    bool TryPart(ReadOnlySpan<char> path, out int offset, out IValueForm part)
    {
        (offset, part) = (0, this);
        return false;
    }
}
