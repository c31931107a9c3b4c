using System.Text.Json;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>What a client calls a request: a whole number or a short text. It stands in the answer as it came.</summary>
/// <param name="Number">The number, if it is one.</param>
/// <param name="Text">The text, if it is one.</param>
internal readonly record struct SocketId(long Number, string? Text)
{
    public const string Forms = "Each request has an id, a whole number or a Unicode text of at most 64 bytes, which stands in its answer.";

    private const int LongestText = 64;

    /// <summary>Reads it from the reader's present token.</summary>
    public static bool TryRead(ref Utf8JsonReader reader, out SocketId id)
    {
        id = default;
        if (reader.TokenType == JsonTokenType.Number)
        {
            var whole = reader.TryGetInt64(out var number);
            id = new SocketId(number, null);
            return whole;
        }

        if (reader.TokenType != JsonTokenType.String || reader.ValueSpan.Length > LongestText)
        {
            return false;
        }

        try
        {
            id = new SocketId(0, reader.GetString());
            return true;
        }
        catch (InvalidOperationException)
        {
            return false; // half of a surrogate pair is no text
        }
    }

    /// <summary>Writes it under its name.</summary>
    public void WriteTo(Utf8JsonWriter json)
    {
        if (Text is null)
        {
            json.WriteNumber("id"u8, Number);
        }
        else
        {
            json.WriteString("id"u8, Text);
        }
    }
}
