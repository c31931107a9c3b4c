using System.Globalization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Pictures;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Api.Screen;

/// <summary>The picture.</summary>
public static class ScreenEndpoints
{
    private const string Png = "image/png";
    private const int MaxScale = 8;

    private static readonly string[] Methods = [HttpMethods.Get, HttpMethods.Head];

    /// <summary>Adds <c>/v2/screen</c>.</summary>
    public static void MapScreen(this IEndpointRouteBuilder routes) => routes.MapMethods("/v2/screen", Methods, Screen).Describe(new OperationDescription(
        "Screen", "The picture as a PNG, or raw")
    {
        Description = "One pixel of the PNG is one of the game: 240 by 160 (GBA), 160 by 144 (GB). With `Accept: application/octet-stream` it is raw: red, green and blue of each pixel, "
            + $"a byte each, row by row; `{Headers.Width}` and `{Headers.Height}` say how many. The `ETag` names the frame.",
        Inputs =
        [
            new Input("scale", "Makes each pixel a square of this many, 1 to 8.", "1") { IsInteger = true },
            new Input("If-None-Match", "The `ETag` of a picture that the caller has.", "\"9f3a01c2-4711\"") { IsHeader = true },
        ],
        Answers = [Content.Bytes(Png), Content.Bytes()],
        OtherResponses = [(304, "The caller's picture is that of the present frame."), (501, "This emulator has no picture.")],
    });

    private static Task Screen(HttpContext http)
    {
        if (!QueryNumber.TryRead(http, "scale", 1, MaxScale, out var scale) || scale == 0)
        {
            return Problems.BadRequestAsync(http, $"scale is 1 to {MaxScale}.").AsTask();
        }

        return http.Request.Headers.IfNoneMatch.Count == 0 ? TakeAsync(http) : http.SendAsync(new Ping(), static (http, _, reply) => CompareAsync(http, reply));
    }

    // asking for the frame costs nothing; making the picture does
    private static async ValueTask CompareAsync(HttpContext http, Reply reply)
    {
        var tag = TagOf(http, reply);
        if (EntityTags.Has(http, tag))
        {
            http.Response.StatusCode = StatusCodes.Status304NotModified;
            http.Response.Headers.ETag = tag;
            return;
        }

        await TakeAsync(http);
    }

    private static Task TakeAsync(HttpContext http) => http.SendAsync(new ReadScreen(), static (http, _, reply) => WriteAsync(http, reply));

    private static ValueTask WriteAsync(HttpContext http, Reply reply)
    {
        http.Response.Headers.ETag = TagOf(http, reply);
        http.Response.Headers[HeaderNames.CacheControl] = "no-cache";
        http.Response.Headers.Append(HeaderNames.Vary, HeaderNames.Accept);
        QueryNumber.TryRead(http, "scale", 1, MaxScale, out var scale);
        return scale == 1 && !IsRaw(http) ? RawAnswer.WriteAsync(http, reply.Tail, Png) : WriteConvertedAsync(http, reply, scale);
    }

    private static async ValueTask WriteConvertedAsync(HttpContext http, Reply reply, int scale)
    {
        if (!PngFile.TryRead(reply.Tail.Span, out var pixels))
        {
            await Problems.DefectAsync(http, "The emulator's picture is a PNG of another form than this gateway can read; ask for it as it is.");
            return;
        }

        using var picture = pixels;
        using var body = StreamPool.Rent("screen");
        if (IsRaw(http))
        {
            picture.WriteRows(body, scale, default);
            http.Response.Headers[Headers.Width] = (picture.Width * scale).ToString(CultureInfo.InvariantCulture);
            http.Response.Headers[Headers.Height] = (picture.Height * scale).ToString(CultureInfo.InvariantCulture);
            await RawAnswer.WriteAsync(http, body);
            return;
        }

        PngFile.Write(picture, scale, body);
        await RawAnswer.WriteAsync(http, body, Png);
    }

    private static bool IsRaw(HttpContext http) => http.Request.Headers.Accept.ToString().Contains(RawAnswer.Bytes, StringComparison.OrdinalIgnoreCase);

    private static string TagOf(HttpContext http, Reply reply) =>
        string.Create(CultureInfo.InvariantCulture, $"\"{reply.Epoch:x8}-{reply.Frame}{(IsRaw(http) ? "-rgb" : "")}\"");
}
