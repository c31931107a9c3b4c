using System.Globalization;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Writes the responses of operations as JSON or as bytes.</summary>
internal static class HttpResponses
{
    /// <summary>Writes a response as the caller accepts it; nothing but its tag when the caller has these bytes.</summary>
    public static ValueTask WriteAsync<TRequest, TResponse>(HttpContext http, Operation<TRequest, TResponse> operation, TResponse response) =>
        operation.Bytes is { } bytes && (!bytes.IsOnRequest || Accepts(http, bytes.MediaTypes[0]))
            ? WriteAsync(http, bytes, response)
            : JsonBody.WriteAsync(http, response, operation.Response.Value);

    private static ValueTask WriteAsync<TResponse>(HttpContext http, BytesOf<TResponse> bytes, TResponse response)
    {
        if (bytes.EntityTag?.Invoke(response) is { } tag)
        {
            http.Response.Headers.ETag = tag;
            http.Response.Headers.CacheControl = "no-cache";
            if (EntityTags.Of(http) is { } known && EntityTags.Has(known, tag))
            {
                http.Response.StatusCode = StatusCodes.Status304NotModified;
                return ValueTask.CompletedTask;
            }
        }

        if (bytes.Size?.Invoke(response) is var (width, height))
        {
            http.Response.Headers[Headers.Width] = width.ToString(CultureInfo.InvariantCulture);
            http.Response.Headers[Headers.Height] = height.ToString(CultureInfo.InvariantCulture);
        }

        return RawAnswer.WriteAsync(http, bytes.Read(response), bytes.MediaTypeOf?.Invoke(response) ?? bytes.MediaTypes[0]);
    }

    private static bool Accepts(HttpContext http, string mediaType) =>
        http.Request.Headers.Accept.Count > 0 && http.Request.GetTypedHeaders().Accept.Any(item => item.MediaType.Equals(mediaType, StringComparison.OrdinalIgnoreCase) && item.Quality != 0);
}
