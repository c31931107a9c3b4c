using System.IO.Compression;
using System.Security.Cryptography;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Interfaces.WebPage;

/// <summary>A file of the web page, compressed once.</summary>
internal sealed class PageFile
{
    private readonly string _contentType;
    private readonly string _caching;
    private readonly string _tag;
    private readonly byte[] _content;
    private readonly Lazy<byte[]> _brotli;
    private readonly Lazy<byte[]> _gzip;

    public PageFile(string contentType, string caching, byte[] content)
    {
        (_contentType, _caching, _content) = (contentType, caching, content);
        _tag = $"\"{VersionOf(content)}\"";
        _brotli = new Lazy<byte[]>(() => Compress(static target => new BrotliStream(target, CompressionLevel.Optimal)));
        _gzip = new Lazy<byte[]>(() => Compress(static target => new GZipStream(target, CompressionLevel.Optimal)));
    }

    /// <summary>Changes with the content.</summary>
    public static string VersionOf(byte[] content) => Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 8));

    /// <summary>The bytes of an embedded file.</summary>
    public static byte[] Read(string resource)
    {
        using var stream = typeof(PageFile).Assembly.GetManifestResourceStream(resource)!;
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }

    /// <summary>Serves it, or 304 when the browser has it.</summary>
    public async Task ServeAsync(HttpContext http)
    {
        var headers = http.Response.Headers;
        headers.ETag = _tag;
        headers.Vary = "Accept-Encoding";
        headers.XContentTypeOptions = "nosniff";
        headers.CacheControl = _caching;
        if (http.Request.Headers.IfNoneMatch == _tag)
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            return;
        }

        var accepted = http.Request.GetTypedHeaders().AcceptEncoding;
        var content = _content;
        if (Accepts(accepted, "br"))
        {
            (headers.ContentEncoding, content) = ("br", _brotli.Value);
        }
        else if (Accepts(accepted, "gzip"))
        {
            (headers.ContentEncoding, content) = ("gzip", _gzip.Value);
        }

        http.Response.ContentType = _contentType;
        http.Response.ContentLength = content.Length;
        await http.Response.Body.WriteAsync(content, http.RequestAborted);
    }

    private static bool Accepts(IList<StringWithQualityHeaderValue> accepted, string encoding) =>
        accepted.Any(item => item.Value.Equals(encoding, StringComparison.OrdinalIgnoreCase) && item.Quality != 0);

    private byte[] Compress(Func<Stream, Stream> compressor)
    {
        using var target = new MemoryStream();
        using (var stream = compressor(target))
        {
            stream.Write(_content);
        }

        return target.ToArray();
    }
}
