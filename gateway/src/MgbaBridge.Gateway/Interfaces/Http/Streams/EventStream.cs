using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Writes server-sent events.</summary>
/// <param name="output">Where to.</param>
/// <param name="feedId">What the numbers of the events begin with.</param>
internal sealed class EventStream(PipeWriter output, string feedId) : IDisposable
{
    private static readonly JsonWriterOptions Readable = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly Utf8JsonWriter _json = new(output, Readable);

    /// <summary>A line that means nothing and keeps the connection alive.</summary>
    public void Comment(string text) => Encoding.UTF8.GetBytes($": {text}\n\n", output);

    /// <summary>One event.</summary>
    public void Write(EmulatorEvent received) => Write(EventIds.Of(feedId, received.Number), received.Kind, EventAnswer.Of(received), EventJson.Default.EventAnswer);

    /// <summary>That some were lost.</summary>
    public void WriteLoss(long lost) => Write(null, "lost", new LossAnswer(lost), EventJson.Default.LossAnswer);

    /// <summary>That the stream ends, and why.</summary>
    public void WriteClosed(string reason) => Write(null, "closed", new ClosedAnswer(reason), EventJson.Default.ClosedAnswer);

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

/// <summary>Ids of events, by which a caller resumes after the last one it received: the feed's id, a dash, and the event's number.</summary>
internal static class EventIds
{
    /// <summary>The id of an event.</summary>
    public static string Of(string feedId, long number) => string.Create(CultureInfo.InvariantCulture, $"{feedId}-{number}");

    /// <summary>The number in an id, or null; and whether it is of another run of the gateway.</summary>
    public static (long? Number, bool IsForeign) After(string? id, EventFeed feed)
    {
        var dash = id?.IndexOf('-', StringComparison.Ordinal) ?? -1;
        return dash > 0 && id.AsSpan(0, dash).SequenceEqual(feed.Id) && long.TryParse(id.AsSpan(dash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var after)
            ? (after, false)
            : (null, id?.Length > 0);
    }
}
