using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Operations.Batch;

/// <summary>Writes the response of a batch or a step straight from the reply, without objects for the results.</summary>
internal static class BatchWriter
{
    /// <summary>Writes it. If it is binary, the bytes of all results follow the JSON, and each result contains the number of its bytes.</summary>
    public static void Write(IMessageBody body, Reply reply, BatchItems? items, CommandDescriptor descriptor, bool isBinary)
    {
        var json = body.Json;
        json.WriteStartObject();
        json.WriteNumber("frame"u8, reply.Frame);
        Span<byte> epoch = stackalloc byte[Epoch.Digits];
        reply.Epoch.Format(epoch);
        json.WriteString("epoch"u8, epoch);
        json.WriteStartArray("results"u8);
        if (isBinary)
        {
            body.Add(default);
        }

        var (index, done) = (0, 0);
        var results = new ItemResults(reply.Tail);
        while (results.Read())
        {
            var form = items is not null && index < items.Results.Count ? items.Results[index] : throw new UnexpectedReplyException(descriptor);
            WriteResult(body, results, form, reply, isBinary, descriptor);
            done += results.Ok ? 1 : 0;
            index++;
        }

        json.WriteEndArray();
        json.WriteNumber("done"u8, done);
        json.WriteNumber("of"u8, items?.Results.Count ?? 0);
        json.WriteEndObject();
    }

    private static void WriteResult(IMessageBody body, in ItemResults result, ItemResult form, Reply batch, bool isBinary, CommandDescriptor descriptor)
    {
        if (!result.Ok || (form.Kind != ItemResultKind.Number && !(form.Kind == ItemResultKind.Bytes && isBinary)))
        {
            JsonSerializer.Serialize(body.Json, ItemAnswer.Of(result, form, batch, descriptor), BatchJson.Default.ItemAnswer);
            return;
        }

        var values = result.Values;
        body.Json.WriteStartObject();
        body.Json.WriteBoolean("ok"u8, true);
        if (form.Kind == ItemResultKind.Bytes)
        {
            body.Json.WriteNumber("size"u8, result.Bytes.Length);
            body.Add(result.Bytes);
        }
        else
        {
            body.Json.WriteNumber("value"u8, values.TryReadInteger(out var number) ? form.Type.Of(number) : throw new UnexpectedReplyException(descriptor));
        }

        body.Json.WriteEndObject();
    }
}
