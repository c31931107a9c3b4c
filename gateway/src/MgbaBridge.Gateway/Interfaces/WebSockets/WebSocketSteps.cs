using System.Runtime.CompilerServices;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations.Batch;
using MgbaBridge.Gateway.Json;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.WebSockets;

/// <summary>The steps of a lease over a socket, one after the other however many were sent. An agent says the same items thousands of times a second,
/// so they are built once and known again by their text.</summary>
internal sealed class WebSocketSteps : IDisposable
{
    private static readonly KeySetConverter KeysReader = new();

    private readonly SemaphoreSlim _turn = new(1, 1);
    private byte[] _knownText = [];
    private BatchItems? _known;

    /// <summary>Runs exactly so many frames.</summary>
    public ValueTask RunAsync(WebSocketSession session, WebSocketRequest request, CommandOperation<StepRequest, StepLease, BatchAnswer> operation)
    {
        if (TryKnown(request.Body.Span, out var step))
        {
            session.Record(operation.Holds);
            return StepAsync(session, request, step);
        }

        if (WebSocketCommands.Read(request, operation.Request, out var body) is { } wrong)
        {
            return session.RefuseAsync(request.Id, wrong);
        }

        // items that are known again have passed this: the client's role does not change
        if (OperationInvoker.Prepare(operation, body, session.Caller, session, out var run) is { } refusal)
        {
            return session.RefuseAsync(request.Id, refusal);
        }

        if (run.Command.Items is { } items)
        {
            Remember(request.Body.Span, items);
        }

        return StepAsync(session, request, run.Command);
    }

    public void Dispose() => _turn.Dispose();

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private async ValueTask StepAsync(WebSocketSession session, WebSocketRequest request, StepLease step)
    {
        await _turn.WaitAsync(session.Over);
        try
        {
            await session.SendAsync(request, step, Write, StepRequest.MaxWait(step.Frames), session.Over);
        }
        finally
        {
            _turn.Release();
        }
    }

    private static void Write(WebSocketMessage message, WebSocketReply<StepLease> reply)
    {
        message.Json.WritePropertyName("body"u8);
        BatchWriter.Write(message, reply.Reply, reply.Command.Items, reply.Command.Descriptor, reply.IsBinary);
    }

    // only frequent forms; everything else, invalid requests included, takes the general path
    private bool TryKnown(ReadOnlySpan<byte> body, out StepLease step)
    {
        step = default;
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

        step = new StepLease(found.Frames ?? 0, found.Keys, found.Items, found.From);
        return found.Frames is >= 0 and <= (long)Limits.StepFrames && found.From is null or >= 0;
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

    private void Remember(ReadOnlySpan<byte> body, BatchItems items)
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
        public BatchItems? Items;
    }
}
