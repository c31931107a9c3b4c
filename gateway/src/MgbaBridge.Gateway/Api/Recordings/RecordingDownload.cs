using System.Buffers;
using System.Text.Json;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Gateway.Api.Http;
using Microsoft.IO;

namespace MgbaBridge.Gateway.Api.Recordings;

/// <summary>Writes a recording as JSON Lines.</summary>
internal static class RecordingDownload
{
    /// <summary>The media type of a recording.</summary>
    public const string Lines = "application/jsonl";

    /// <summary>Handles a request.</summary>
    public static Task InvokeAsync(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        var id = http.Request.RouteValues["recording"] as string;
        await (http.Single<RecordingStore>().Find(emulator, id) is { } recorder
            ? WriteAsync(http, recorder)
            : Problems.WriteAsync(http, emulator.Id, NotFound(id)).AsTask());
    });

    /// <summary>There is no recording of this name.</summary>
    public static Refusal NotFound(string? id) => Refusal.NotFound("recording", $"There is no recording {id}; GET /v2/recordings lists them.");

    private static async Task WriteAsync(HttpContext http, Recorder recorder)
    {
        http.Response.ContentType = Lines;
        var (header, lines) = recorder.Lines();
        using var buffer = StreamPool.Rent("recording");
        using var json = new Utf8JsonWriter((IBufferWriter<byte>)buffer);
        Write(buffer, json, header, RecordingJson.Default.RecordingHeader);
        foreach (var line in lines)
        {
            if (buffer.Length >= StreamPool.BlockSize / 2)
            {
                await SendAsync(http, buffer);
            }

            Write(buffer, json, line, RecordingJson.Default.RecordingLine);
        }

        await SendAsync(http, buffer);
    }

    private static void Write<T>(RecyclableMemoryStream buffer, Utf8JsonWriter json, T line, System.Text.Json.Serialization.Metadata.JsonTypeInfo<T> type)
    {
        JsonSerializer.Serialize(json, line, type);
        json.Flush();
        json.Reset();
        buffer.WriteByte((byte)'\n');
    }

    private static async Task SendAsync(HttpContext http, RecyclableMemoryStream buffer)
    {
        foreach (var part in buffer.GetReadOnlySequence())
        {
            await http.Response.BodyWriter.WriteAsync(part, http.RequestAborted);
        }

        buffer.SetLength(0);
    }
}
