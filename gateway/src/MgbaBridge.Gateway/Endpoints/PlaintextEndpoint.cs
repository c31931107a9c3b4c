using System.Buffers;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A constant answer through the same middleware, to compare the gateway's own speed with.</summary>
public static class PlaintextEndpoint
{
    /// <summary>Adds <c>GET /plaintext</c>.</summary>
    public static void MapPlaintext(this IEndpointRouteBuilder routes) => routes.MapGet("/plaintext", Answer);

    private static Task Answer(HttpContext http)
    {
        var body = "Hello, World!"u8;
        http.Response.ContentType = "text/plain; charset=utf-8";
        http.Response.ContentLength = body.Length;
        http.Response.BodyWriter.Write(body);
        return Task.CompletedTask;
    }
}
