using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations.Events;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Writes server-sent events.</summary>
/// <param name="output">Where to.</param>
/// <param name="feedId">What the numbers of the events begin with.</param>
/// <param name="caller">Who reads them.</param>
internal sealed class EventStream(PipeWriter output, string feedId, Caller caller) : IDisposable
{
    private static readonly JsonWriterOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly Utf8JsonWriter _json = new(output, Readable);

    /// <summary>A line that means nothing and keeps the connection alive.</summary>
    public void Comment(string text) => Encoding.UTF8.GetBytes($": {text}\n\n", output);

    /// <summary>One event.</summary>
    public void Write(EmulatorEvent received) => Write(EventIds.Of(feedId, received.Number), received.Kind, new EventAnswer(received, caller), EventJson.Default.EventAnswer);

    /// <summary>That some were lost.</summary>
    public void WriteLoss(long lost) => Write(null, StreamEvents.Lost, new LossAnswer(lost), EventJson.Default.LossAnswer);

    /// <summary>That the stream ends, and why.</summary>
    public void WriteClosed(string reason) => Write(null, StreamEvents.Closed, new ClosedAnswer(reason), EventJson.Default.ClosedAnswer);

    public void Dispose() => _json.Dispose();

    private void Write<T>(string? id, string kind, in T value, JsonTypeInfo<T> type)
    {
        if (id is not null)
        {
            Encoding.UTF8.GetBytes($"id: {id}\n", output);
        }

        Encoding.UTF8.GetBytes($"event: {kind}\ndata: ", output);
        JsonSerializer.Serialize(_json, value, type);
        _json.Flush();
        _json.Reset();
        output.Write("\n\n"u8);
    }
}
