using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>Reads requests. An agent says the same items of a step thousands of times a second, so they are built once and known again by their text.</summary>
internal sealed class WebSocketValueReader
{
    private static readonly KeySetConverter KeysReader = new();

    private byte[] _knownText = [];
    private BatchRequest? _known;

    /// <summary>Reads the values of a request, with the bytes that came with it. Returns what is wrong with them, or null.</summary>
    public string? Read<TRequest>(in WebSocketRequest request, Parameters<TRequest> parameters, out TRequest values)
    {
        if (typeof(TRequest) == typeof(StepRequest) && TryKnown(request.Body.Span, out var step))
        {
            values = (TRequest)(object)step;
            return null;
        }

        var wrong = WebSocketCommands.Read(request, parameters, out values);
        if (wrong is null && values is StepRequest { Batch: { } batch })
        {
            Remember(request.Body.Span, batch);
        }

        return wrong;
    }

    // only frequent forms; everything else, invalid requests included, takes the general path
    private bool TryKnown(ReadOnlySpan<byte> body, [NotNullWhen(true)] out StepRequest? step)
    {
        step = null;
        var found = default(StepFields);
        try
        {
            for (var reader = new Utf8JsonReader(body); reader.Read();)
            {
                if (reader.TokenType != JsonTokenType.PropertyName)
                {
                    continue;
                }

                if (!TryField(ref reader, body, ref found))
                {
                    return false;
                }
            }
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            return false;
        }

        if (found.Frames is >= 0 and <= (long)Limits.StepFrames and var frames && found.From is null or >= 0)
        {
            step = new StepRequest(frames, found.Keys, found.From, found.Items);
        }

        return step is not null;
    }

    private bool TryField(ref Utf8JsonReader reader, ReadOnlySpan<byte> body, ref StepFields found)
    {
        if (reader.ValueTextEquals("frames"u8))
        {
            return found.Frames is null && TryInteger(ref reader, out found.Frames);
        }

        if (reader.ValueTextEquals("from"u8))
        {
            return found.From is null && TryInteger(ref reader, out found.From);
        }

        if (found.Keys is null && reader.ValueTextEquals("keys"u8) && reader.Read())
        {
            found.Keys = KeysReader.Read(ref reader, typeof(KeySet), LeaseJson.Default.Options);
            return true;
        }

        if (found.Items is not null || !reader.ValueTextEquals("items"u8))
        {
            return false;
        }

        found.Items = _known;
        return _known is not null && TrySkipKnown(ref reader, body);
    }

    private static bool TryInteger(ref Utf8JsonReader reader, out long? value)
    {
        value = reader.Read() && Integers.TryRead(ref reader, out var integer) ? integer : null;
        return value is not null;
    }

    private bool TrySkipKnown(ref Utf8JsonReader reader, ReadOnlySpan<byte> body)
    {
        reader.Read();
        var start = (int)reader.TokenStartIndex;
        reader.Skip();
        return body[start..(int)reader.BytesConsumed].SequenceEqual(_knownText);
    }

    private void Remember(ReadOnlySpan<byte> body, BatchRequest items)
    {
        var reader = new Utf8JsonReader(body);
        reader.Read();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var isItems = reader.ValueTextEquals("items"u8);
            reader.Read();
            var start = (int)reader.TokenStartIndex;
            reader.Skip();
            if (isItems)
            {
                (_known, _knownText) = (items, body[start..(int)reader.BytesConsumed].ToArray());
            }
        }
    }

    private struct StepFields
    {
        public long? Frames;
        public long? From;
        public KeySet? Keys;
        public BatchRequest? Items;
    }
}
