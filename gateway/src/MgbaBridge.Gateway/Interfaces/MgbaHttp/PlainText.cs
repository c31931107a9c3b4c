using System.Buffers;
using System.Buffers.Text;
using System.Text;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>Writes the answer to a compatible path from the reply of the script.</summary>
internal delegate ValueTask Render<in TArguments>(HttpContext http, TArguments arguments, Reply reply);

/// <summary>Writes plain-text responses, the only kind of mGBA-http. The server flushes when the handler ends.</summary>
internal static class PlainText
{
    private const string ContentType = "text/plain; charset=utf-8";
    private const string Bytes = "application/octet-stream";
    private const int MaxNumber = 20;

    /// <summary>What the API's document says about a path that answers with plain text.</summary>
    public static OperationDescription About(string summary, string example) => new("", summary)
    {
        Contents = [new Content("text/plain", null, $"\"{example}\"")],
    };

    /// <summary>An empty answer, which means success.</summary>
    public static ValueTask Nothing<TArguments>(HttpContext http, TArguments arguments, Reply reply) => WriteEmptyAsync(http);

    /// <summary><c>true</c>, which means success of a command that mGBA can refuse.</summary>
    public static ValueTask True<TArguments>(HttpContext http, TArguments arguments, Reply reply) => WriteAsync(http, "true"u8);

    /// <summary>The bytes of the reply: raw if the caller accepts that, else as hex.</summary>
    public static ValueTask Hex<TArguments>(HttpContext http, TArguments arguments, Reply reply) => AcceptsBytes(http)
        ? WriteRawAsync(http, reply.Tail, Bytes)
        : HexText.WriteAsync(http, reply.Tail, ContentType);

    /// <summary>A number in the reply.</summary>
    public static Render<object?> Number(Func<Reply, long> of) => (http, _, reply) => WriteAsync(http, of(reply));

    /// <summary>Text in the reply.</summary>
    public static Render<object?> Text(Func<Reply, string> of) => (http, _, reply) => WriteAsync(http, of(reply));

    /// <summary>An empty answer.</summary>
    public static ValueTask WriteEmptyAsync(HttpContext http) => WriteAsync(http, default(ReadOnlySpan<byte>));

    /// <summary>A number.</summary>
    public static ValueTask WriteAsync(HttpContext http, long number)
    {
        Span<byte> text = stackalloc byte[MaxNumber];
        Utf8Formatter.TryFormat(number, text, out var length);
        return WriteAsync(http, text[..length]);
    }

    /// <summary>Text.</summary>
    public static ValueTask WriteAsync(HttpContext http, string text, string contentType = ContentType) =>
        WriteAsync(http, Encoding.UTF8.GetBytes(text), contentType);

    /// <summary>Bytes as they are. Waits while the caller reads slowly.</summary>
    public static async ValueTask WriteRawAsync(HttpContext http, ReadOnlyMemory<byte> bytes, string contentType)
    {
        http.Response.ContentType = contentType;
        http.Response.ContentLength = bytes.Length;
        await http.Response.BodyWriter.WriteAsync(bytes, http.RequestAborted);
    }

    /// <summary>Whether the caller requests raw bytes.</summary>
    public static bool AcceptsBytes(HttpContext http) => Accepts(http, Bytes);

    /// <summary>Whether the caller names this type in its <c>Accept</c>.</summary>
    public static bool Accepts(HttpContext http, string contentType) =>
        http.Request.Headers.Accept.ToString().Contains(contentType, StringComparison.OrdinalIgnoreCase);

    private static ValueTask WriteAsync(HttpContext http, scoped ReadOnlySpan<byte> text, string contentType = ContentType)
    {
        http.Response.ContentType = contentType;
        http.Response.ContentLength = text.Length;
        http.Response.BodyWriter.Write(text);
        return ValueTask.CompletedTask;
    }
}
