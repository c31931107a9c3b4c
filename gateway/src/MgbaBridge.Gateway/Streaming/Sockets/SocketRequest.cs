using System.Text.Json;

namespace MgbaBridge.Gateway.Streaming.Sockets;

/// <summary>A message of a client: <c>{"id":1,"op":"lease.step","body":{…},"binary":true}</c>.</summary>
/// <param name="Id">What the client calls it; null when it has none that can be read.</param>
/// <param name="Operation">What is asked for, in UTF-8.</param>
/// <param name="Body">The JSON of its body, in the buffer that the message was received into: it is good until the operation first waits.</param>
/// <param name="IsBinary">Whether bytes travel as a binary message rather than as base64.</param>
/// <param name="Bytes">The bytes that came with it in a binary message.</param>
internal readonly record struct SocketRequest(SocketId? Id, ReadOnlyMemory<byte> Operation, ReadOnlyMemory<byte> Body, bool IsBinary, ReadOnlyMemory<byte> Bytes)
{
    private const string Forms = "A message is a JSON object such as {\"id\": 1, \"op\": \"lease.step\", \"body\": {\"frames\": 1}}, and has no fields but id, op, body and binary.";

    private static readonly ReadOnlyMemory<byte> NoBody = "{}"u8.ToArray();

    /// <summary>Reads a message. False with what is wrong when it is none; the id is there as far as it could be read.</summary>
    public static bool TryParse(ReadOnlyMemory<byte> message, out SocketRequest request, out string wrong)
    {
        request = new SocketRequest(null, default, NoBody, false, default);
        wrong = Forms;
        try
        {
            var reader = new Utf8JsonReader(message.Span);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
            {
                return false;
            }

            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                var isId = reader.ValueTextEquals("id"u8);
                if (!TryField(ref reader, message, ref request))
                {
                    wrong = isId ? SocketId.Forms : Forms;
                    return false;
                }
            }

            // what follows the object is refused by the reader
            reader.Read();
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            // the latter is a name with half of a surrogate pair
            wrong = $"{exception.Message} {Forms}";
            return false;
        }

        wrong = request.Id is null ? SocketId.Forms : Forms;
        return request.Id is not null && !request.Operation.IsEmpty;
    }

    /// <summary>Reads the id in a body such as <c>{"id":1}</c>.</summary>
    public static bool TryId(ReadOnlySpan<byte> body, out SocketId id)
    {
        var reader = new Utf8JsonReader(body);
        id = default;
        return reader.Read() && reader.Read() && reader.TokenType == JsonTokenType.PropertyName && reader.ValueTextEquals("id"u8)
            && reader.Read() && SocketId.TryRead(ref reader, out id) && reader.Read() && reader.TokenType == JsonTokenType.EndObject;
    }

    private static bool TryField(ref Utf8JsonReader reader, ReadOnlyMemory<byte> message, ref SocketRequest request)
    {
        if (reader.ValueTextEquals("id"u8))
        {
            reader.Read();
            var known = SocketId.TryRead(ref reader, out var id);
            request = request with { Id = known ? id : null };
            return known;
        }

        if (reader.ValueTextEquals("op"u8))
        {
            reader.Read();
            var isText = reader.TokenType == JsonTokenType.String;
            request = request with { Operation = isText ? message.Slice((int)reader.TokenStartIndex + 1, reader.ValueSpan.Length) : default };
            return isText;
        }

        if (reader.ValueTextEquals("body"u8))
        {
            reader.Read();
            var start = (int)reader.TokenStartIndex;
            var isObject = reader.TokenType == JsonTokenType.StartObject;
            reader.Skip();
            request = request with { Body = message[start..(int)reader.BytesConsumed] };
            return isObject;
        }

        var isBinary = reader.ValueTextEquals("binary"u8) && reader.Read() && reader.TokenType is JsonTokenType.True or JsonTokenType.False;
        request = request with { IsBinary = isBinary && reader.TokenType == JsonTokenType.True };
        return isBinary;
    }
}
