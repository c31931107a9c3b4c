using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Engines.Recordings;
using Microsoft.IO;

namespace MgbaBridge.Gateway.Operations.Recordings;

/// <summary>Writes a recording as JSON Lines.</summary>
internal static class RecordingFile
{
    /// <summary>The media type of a recording.</summary>
    public const string MediaType = "application/jsonl";

    /// <summary>The lines of a recording.</summary>
    public static FileAnswer Of(Recorder recorder)
    {
        var (header, lines) = recorder.Lines();
        var content = StreamPool.Rent("recording");
        using var json = new Utf8JsonWriter((IBufferWriter<byte>)content);
        Write(content, json, header, RecordingJson.Default.RecordingHeader);
        foreach (var line in lines)
        {
            Write(content, json, line, RecordingJson.Default.RecordingLine);
        }

        return new FileAnswer(content);
    }

    private static void Write<T>(RecyclableMemoryStream content, Utf8JsonWriter json, T line, JsonTypeInfo<T> type)
    {
        JsonSerializer.Serialize(json, line, type);
        json.Flush();
        json.Reset();
        content.WriteByte((byte)'\n');
    }
}
