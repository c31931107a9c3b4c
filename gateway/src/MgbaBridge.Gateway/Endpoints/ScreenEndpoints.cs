using System.Globalization;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Endpoints.OpenApi;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>The picture.</summary>
public static class ScreenEndpoints
{
    private const string Png = "image/png";

    private static readonly string[] Methods = [HttpMethods.Get, HttpMethods.Head];

    /// <summary>Adds <c>/v2/screen</c>.</summary>
    public static void MapScreen(this IEndpointRouteBuilder routes) => routes.MapMethods("/v2/screen", Methods, Screen).Describe(new Operation(
        "Screen", "The picture as a PNG")
    {
        Description = "One pixel of the PNG is one of the game: 240 by 160 (GBA), 160 by 144 (GB). The `ETag` names the frame.",
        Inputs = [new Input("If-None-Match", "The `ETag` of a picture that the caller has.", "\"9f3a01c2-4711\"") { IsHeader = true }],
        Answers = [Content.Bytes(Png)],
        Otherwise = [(304, "The caller's picture is that of the present frame."), (501, "This emulator has no picture.")],
    });

    private static Task Screen(HttpContext http) => http.Request.Headers.IfNoneMatch.Count == 0
        ? http.AskAsync(new ReadScreen(), static (http, _, reply) => WriteAsync(http, reply))
        : http.AskAsync(new Ping(), static (http, _, reply) => CompareAsync(http, reply));

    // asking for the frame costs nothing; making the picture does
    private static async ValueTask CompareAsync(HttpContext http, Reply reply)
    {
        var tag = TagOf(reply);
        if (http.Request.Headers.IfNoneMatch.ToString().Contains(tag, StringComparison.Ordinal))
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            http.Response.Headers.ETag = tag;
            return;
        }

        await http.AskAsync(new ReadScreen(), static (http, _, reply) => WriteAsync(http, reply));
    }

    private static async ValueTask WriteAsync(HttpContext http, Reply reply)
    {
        http.Response.Headers.ETag = TagOf(reply);
        http.Response.Headers[HeaderNames.CacheControl] = "no-cache";
        await RawAnswer.WriteAsync(http, reply.Tail, Png);
    }

    private static string TagOf(Reply reply) => string.Create(CultureInfo.InvariantCulture, $"\"{reply.Epoch:x8}-{reply.Frame}\"");
}
