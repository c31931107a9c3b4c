using System.Buffers;
using System.Buffers.Text;
using System.IO.Pipelines;
using System.Text;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>Writes answers as mGBA-http does. The server flushes when the handler ends.</summary>
internal static class PlainText
{
    /// <summary>The media type for which bytes go out as they are.</summary>
    public const string Bytes = "application/octet-stream";

    /// <summary>The media type for which pictures go out as they are.</summary>
    public const string Picture = "image/png";

    private const string Text = "text/plain; charset=utf-8";
    private const string Json = "application/json; charset=utf-8";
    private const int MaxByte = 4;
    private const int Slice = 1_024;
    private const int SlicesPerFlush = 64;

    /// <summary>What the API's document says about an answer of plain text.</summary>
    public static Content Example(string example) => new("text/plain", null, $"\"{example}\"");

    /// <summary>Writes an answer in the form of a version.</summary>
    public static ValueTask WriteAsync(HttpContext http, in MgbaHttpAnswer answer, MgbaHttpVersion version) => answer.Form switch
    {
        MgbaHttpForm.Json => WriteAsync(http, answer.Text, Json),
        MgbaHttpForm.Bytes when Accepts(http, Bytes) => WriteRawAsync(http, answer.Bytes, Bytes),
        MgbaHttpForm.Bytes when version.WritesJson => WriteNumbersAsync(http, answer.Bytes),
        MgbaHttpForm.Bytes when version.WritesRawText => WriteAsync(http, Encoding.UTF8.GetString(answer.Bytes.Span)),
        MgbaHttpForm.Bytes => HexText.WriteAsync(http, answer.Bytes, Text),
        MgbaHttpForm.Picture => WriteRawAsync(http, answer.Bytes, Picture),
        MgbaHttpForm.ScriptError => MgbaHttpFailures.WriteAsync(http, StatusCodes.Status502BadGateway, MgbaHttpFailures.ScriptError(answer.Text)),
        _ => WriteAsync(http, answer.Text),
    };

    /// <summary>Writes text.</summary>
    public static ValueTask WriteAsync(HttpContext http, string text, string contentType = Text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        http.Response.ContentType = contentType;
        http.Response.ContentLength = bytes.Length;
        http.Response.BodyWriter.Write(bytes);
        return ValueTask.CompletedTask;
    }

    /// <summary>Whether the caller names this type in its <c>Accept</c>.</summary>
    public static bool Accepts(HttpContext http, string contentType) =>
        http.Request.Headers.Accept.ToString().Contains(contentType, StringComparison.OrdinalIgnoreCase);

    // waits while the caller reads slowly
    private static async ValueTask WriteRawAsync(HttpContext http, ReadOnlyMemory<byte> bytes, string contentType)
    {
        http.Response.ContentType = contentType;
        http.Response.ContentLength = bytes.Length;
        await http.Response.BodyWriter.WriteAsync(bytes, http.RequestAborted);
    }

    // as a JSON array: [211,0]
    private static async ValueTask WriteNumbersAsync(HttpContext http, ReadOnlyMemory<byte> bytes)
    {
        var body = http.Response.BodyWriter;
        http.Response.ContentType = Json;
        body.Write("["u8);
        for (var at = 0; at < bytes.Length; at += Slice)
        {
            var slice = bytes.Slice(at, Math.Min(Slice, bytes.Length - at));
            Append(body, slice.Span, isFirst: at == 0);
            if (at / Slice % SlicesPerFlush == SlicesPerFlush - 1)
            {
                await body.FlushAsync(http.RequestAborted);
            }
        }

        body.Write("]"u8);
    }

    private static void Append(PipeWriter body, ReadOnlySpan<byte> bytes, bool isFirst)
    {
        var space = body.GetSpan(bytes.Length * MaxByte);
        var at = 0;
        foreach (var value in bytes)
        {
            if (at > 0 || !isFirst)
            {
                space[at++] = (byte)',';
            }

            Utf8Formatter.TryFormat(value, space[at..], out var length);
            at += length;
        }

        body.Advance(at);
    }
}
