using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>A message of a client: <c>{"id":1,"op":"lease.step","body":{…},"binary":true}</c>.</summary>
/// <param name="Id">What the client calls it; null when it has none that can be read.</param>
/// <param name="Operation">The name of the operation, in UTF-8.</param>
/// <param name="Body">The JSON of its body, in the buffer that the message was received into: it is good until the operation first waits.</param>
/// <param name="IsBinary">Whether bytes travel as a binary message rather than as base64.</param>
/// <param name="Bytes">The bytes that came with it in a binary message.</param>
internal readonly record struct WebSocketRequest(WebSocketId? Id, ReadOnlyMemory<byte> Operation, ReadOnlyMemory<byte> Body, bool IsBinary, ReadOnlyMemory<byte> Bytes)
{
    private const string ExpectedFormat = "A message is a JSON object such as {\"id\": 1, \"op\": \"lease.step\", \"body\": {\"frames\": 1}}, and has no fields but id, op, body and binary, each at most once.";

    private static readonly ReadOnlyMemory<byte> NoBody = "{}"u8.ToArray();

    /// <summary>The request among those that take frames; null for others.</summary>
    public LongRunningRequest? LongRunning { get; init; }

    /// <summary>Reads a message. False with what is wrong when it is none; the id is there as far as it could be read.</summary>
    public static bool TryParse(ReadOnlyMemory<byte> message, out WebSocketRequest request, out string wrong)
    {
        request = new WebSocketRequest(null, default, NoBody, false, default);
        wrong = ExpectedFormat;
        message = message.Span.StartsWith(Encoding.UTF8.Preamble) ? message[Encoding.UTF8.Preamble.Length..] : message;
        try
        {
            var reader = new Utf8JsonReader(message.Span);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            {
                return false;
            }

            var hasBinary = false;
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                var isId = request.Id is null && reader.ValueTextEquals("id"u8);
                if (!TryField(ref reader, message, ref request, ref hasBinary))
                {
                    wrong = isId ? WebSocketId.ExpectedFormat : ExpectedFormat;
                    return false;
                }
            }

            // what follows the object is refused by the reader
            reader.Read();
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            // the latter is a name with half of a surrogate pair
            wrong = $"{exception.Message} {ExpectedFormat}";
            return false;
        }

        wrong = request.Id is null ? WebSocketId.ExpectedFormat : ExpectedFormat;
        return request.Id is not null && !request.Operation.IsEmpty;
    }

    /// <summary>Reads the id in a body such as <c>{"id":1}</c>.</summary>
    public static bool TryId(ReadOnlySpan<byte> body, out WebSocketId id)
    {
        var reader = new Utf8JsonReader(body);
        id = default;
        try
        {
            return reader.Read() && reader.Read() && reader.TokenType == JsonTokenType.PropertyName && reader.ValueTextEquals("id"u8)
                && reader.Read() && WebSocketId.TryRead(ref reader, out id) && reader.Read() && reader.TokenType == JsonTokenType.EndObject;
        }
        catch (InvalidOperationException)
        {
            return false; // a name with half of a surrogate pair is not valid text
        }
    }

    private static bool TryField(ref Utf8JsonReader reader, ReadOnlyMemory<byte> message, ref WebSocketRequest request, ref bool hasBinary)
    {
        if (request.Id is null && reader.ValueTextEquals("id"u8))
        {
            reader.Read();
            var known = WebSocketId.TryRead(ref reader, out var id);
            request = request with { Id = known ? id : null };
            return known;
        }

        if (request.Operation.IsEmpty && reader.ValueTextEquals("op"u8))
        {
            reader.Read();
            var isText = reader.TokenType == JsonTokenType.String;
            request = request with { Operation = isText ? message.Slice((int)reader.TokenStartIndex + 1, reader.ValueSpan.Length) : default };
            return isText;
        }

        if (request.Body.Equals(NoBody) && reader.ValueTextEquals("body"u8))
        {
            reader.Read();
            var start = (int)reader.TokenStartIndex;
            var isObject = reader.TokenType == JsonTokenType.StartObject;
            reader.Skip();
            request = request with { Body = message[start..(int)reader.BytesConsumed] };
            return isObject;
        }

        var isBinary = !hasBinary && reader.ValueTextEquals("binary"u8) && reader.Read() && reader.TokenType is JsonTokenType.True or JsonTokenType.False;
        hasBinary = true;
        request = request with { IsBinary = isBinary && reader.TokenType == JsonTokenType.True };
        return isBinary;
    }
}

/// <summary>The id that a client gives a request: an integer or a short text. The response contains it unchanged.</summary>
/// <param name="Number">The number, if it is one.</param>
/// <param name="Text">The text, if it is one.</param>
internal readonly record struct WebSocketId(long Number, string? Text)
{
    public const string ExpectedFormat = "Each request has an id, an integer or a Unicode text of at most 64 bytes, which its response repeats.";

    private const int MaxText = 64;

    /// <summary>Reads it from the reader's present token.</summary>
    public static bool TryRead(ref Utf8JsonReader reader, out WebSocketId id)
    {
        id = default;
        if (reader.TokenType == JsonTokenType.Number)
        {
            var whole = Integers.TryRead(ref reader, out var number);
            id = new WebSocketId(number, null);
            return whole;
        }

        if (reader.TokenType != JsonTokenType.String || reader.ValueSpan.Length > MaxText)
        {
            return false;
        }

        try
        {
            id = new WebSocketId(0, reader.GetString());
            return true;
        }
        catch (InvalidOperationException)
        {
            return false; // half of a surrogate pair is not valid text
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
