using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>A message of ours while it is written: JSON, and the bytes that follow it. Used again for each message of a socket.</summary>
internal sealed class WebSocketMessage : IMessageBody, IDisposable
{
    private const int Default = 1_024;
    private const int KeptAtMost = 65_536;

    private static readonly JsonWriterOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, SkipValidation = true };

    private ArrayBufferWriter<byte> _text = new(Default);
    private ArrayBufferWriter<byte>? _parts;
    private ReadOnlyMemory<byte>? _bytes;

    public WebSocketMessage() => Json = new Utf8JsonWriter(_text, Readable);

    /// <summary>Writes the message's fields.</summary>
    public Utf8JsonWriter Json { get; }

    /// <summary>The whole message.</summary>
    public ReadOnlyMemory<byte> Text => _text.WrittenMemory;

    /// <summary>Starts a message, and discards one that was not ended.</summary>
    public void Begin()
    {
        _text.ResetWrittenCount();
        _parts?.ResetWrittenCount();
        _bytes = null;
        Json.Reset(_text);
        Json.WriteStartObject();
    }

    /// <summary>Writes a body of a known shape.</summary>
    public void Body<T>(in T value, JsonTypeInfo<T> type)
    {
        Json.WritePropertyName("body"u8);
        JsonSerializer.Serialize(Json, value, type);
    }

    /// <summary>Writes a body that is JSON already.</summary>
    public void Body(byte[] json)
    {
        Json.WritePropertyName("body"u8);
        Json.WriteRawValue(json, skipInputValidation: true);
    }

    /// <summary>Writes why there is no body.</summary>
    public void Problem(Problem problem)
    {
        Json.WritePropertyName("problem"u8);
        JsonSerializer.Serialize(Json, problem, ProblemJson.Default.Problem);
    }

    /// <summary>These bytes follow those added before. They must stay until the message has left.</summary>
    public void Add(in ReadOnlySequence<byte> bytes)
    {
        foreach (var part in bytes)
        {
            Add(part);
        }

        _bytes ??= default(ReadOnlyMemory<byte>);
    }

    /// <summary>As above.</summary>
    public void Add(ReadOnlyMemory<byte> bytes)
    {
        if (_bytes is not { Length: > 0 })
        {
            _bytes = bytes;
            return;
        }

        _parts ??= new ArrayBufferWriter<byte>(Default);
        if (_parts.WrittenCount == 0)
        {
            _parts.Write(_bytes.Value.Span);
        }

        _parts.Write(bytes.Span);
    }

    /// <summary>It has been sent: its memory goes, if it was long.</summary>
    public void Trim()
    {
        if (_text.Capacity > KeptAtMost)
        {
            _text = new ArrayBufferWriter<byte>(Default);
        }

        if (_parts?.Capacity > KeptAtMost)
        {
            _parts = null;
        }
    }

    /// <summary>Ends it, and returns the bytes that follow.</summary>
    public ReadOnlyMemory<byte>? End()
    {
        var bytes = _parts is { WrittenCount: > 0 } ? _parts.WrittenMemory : _bytes;
        if (bytes is { } binary)
        {
            Json.WriteNumber("binary"u8, binary.Length);
        }

        Json.WriteEndObject();
        Json.Flush();
        return bytes;
    }

    public void Dispose() => Json.Dispose();
}
