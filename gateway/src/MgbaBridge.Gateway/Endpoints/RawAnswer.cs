namespace MgbaBridge.Gateway.Endpoints;

/// <summary>An answer of raw bytes.</summary>
internal static class RawAnswer
{
    /// <summary>Bytes without further meaning.</summary>
    public const string Bytes = "application/octet-stream";

    /// <summary>Writes them; nothing but their length for HEAD.</summary>
    public static async ValueTask WriteAsync(HttpContext http, ReadOnlyMemory<byte> bytes, string contentType = Bytes)
    {
        http.Response.ContentType = contentType;
        http.Response.ContentLength = bytes.Length;
        if (!HttpMethods.IsHead(http.Request.Method))
        {
            await http.Response.BodyWriter.WriteAsync(bytes, http.RequestAborted);
        }
    }
}
