using System.Globalization;
using System.Text.Json;

namespace MgbaBridge.Engines.Symbols;

/// <summary>The position of an element in a JSON text.</summary>
internal static class JsonPosition
{
    /// <summary>The offset of the value at this path; of the last step that is there.</summary>
    public static long Of(ReadOnlySpan<byte> json, params ReadOnlySpan<string> path)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { CommentHandling = JsonCommentHandling.Skip, AllowTrailingCommas = true });
        reader.Read();
        var found = reader.TokenStartIndex;
        foreach (var step in path)
        {
            if (!TryStep(ref reader, step))
            {
                break;
            }

            found = reader.TokenStartIndex;
        }

        return found;
    }

    private static bool TryStep(ref Utf8JsonReader reader, string name)
    {
        if (reader.TokenType == JsonTokenType.StartArray && int.TryParse(name, CultureInfo.InvariantCulture, out var index))
        {
            return TryItem(ref reader, index);
        }

        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return false;
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var found = reader.ValueTextEquals(name);
            reader.Read();
            if (found)
            {
                return true;
            }

            reader.Skip();
        }

        return false;
    }

    private static bool TryItem(ref Utf8JsonReader reader, int index)
    {
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (index-- == 0)
            {
                return true;
            }

            reader.Skip();
        }

        return false;
    }
}

/// <summary>A file of names is wrong: where and why.</summary>
public sealed class NameFormatException : Exception
{
    /// <summary>A text is wrong at this line and column, both from 1.</summary>
    public NameFormatException(long line, long column, string reason)
        : base($"Line {line}, column {column}: {reason}")
    {
    }

    private NameFormatException(string message)
        : base(message)
    {
    }

    /// <summary>A binary file is wrong at this byte, from 0.</summary>
    public static NameFormatException AtByte(long offset, string reason) => new($"Byte 0x{offset:X}: {reason}");

    /// <summary>The line and column of a byte of a text, both from 1.</summary>
    public static NameFormatException At(ReadOnlySpan<byte> text, long offset, string reason)
    {
        var before = text[..(int)Math.Clamp(offset, 0, text.Length)];
        return new NameFormatException(before.Count((byte)'\n') + 1, before.Length - before.LastIndexOf((byte)'\n'), reason);
    }
}
