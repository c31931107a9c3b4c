using System.Globalization;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Buffers;
using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Api.Operations;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Api.Screen;

/// <summary>The picture.</summary>
internal static class ScreenOperations
{
    private const string Png = "image/png";

    private static readonly Parameter<int> Scale = Parameter.Integer("scale", 1, 8, "Makes each pixel a square of this many.").Or(1);

    public static CommandOperation<ReadScreen, ScreenAnswer> Get { get; } = new("screen.get", HttpMethods.Get, "/v2/screen", Access.Read)
    {
        Tag = "Screen",
        Summary = "A screenshot as a PNG, or raw",
        Description = "One pixel of the PNG is one of the game: 240 by 160 (GBA), 160 by 144 (GB). With `Accept: application/octet-stream` it is raw: red, green and blue of each pixel, "
            + $"a byte each, row by row; `{Headers.Width}` and `{Headers.Height}` say how many. The `ETag` names the frame.",
        ServesHead = true,
        Inputs =
        [
            Input.Of(Scale),
            new Input("If-None-Match", "The `ETag` of a picture that the caller has.", "\"9f3a01c2-4711\"") { IsHeader = true },
        ],
        Request = Parameters.Always(new ReadScreen()),
        Read = static (_, reply) => new ScreenAnswer(reply.Frame, reply.Epoch, reply.Tail),
        Response = ScreenJson.Default,
        TailIsBytes = true,
        Contents = [Content.Bytes(Png), Content.Bytes()],
        Endpoint = ServeAsync,
        OtherResponses = [(StatusCodes.Status304NotModified, "The caller's picture is that of the present frame."), (StatusCodes.Status501NotImplemented, "This emulator has no picture.")],
        Batch = BatchEntry.Of("screen", "take the picture.", new ReadScreen(), ItemResultKind.Bytes),
    };

    public static EndpointOperation Stream { get; } = new("screen.stream", HttpMethods.Get, "/v2/screen/stream", Access.Read, PictureStream.ServeAsync)
    {
        Tag = "Screen",
        Summary = "A stream of screenshots, for an `<img>`",
        Description = "Each part is a PNG with `Mgba-Frame` and `Mgba-Epoch`. All viewers share the screenshots that the fastest of them needs, and pictures take at most a third of the "
            + "script's time. A client that reads too slowly misses pictures. No parts are sent while the game is stopped or the emulator does not answer; the stream continues afterwards.",
        Parameters = [PictureRates.Parameter],
        Contents = [new Content(PictureStream.ContentType, null, null)],
        OtherResponses = [(StatusCodes.Status501NotImplemented, "This emulator has no picture.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Get, Stream];

    private static Task ServeAsync(HttpContext http)
    {
        if (Scale.ReadQuery(http, out _) is { } wrong)
        {
            return Problems.BadRequestAsync(http, wrong).AsTask();
        }

        return http.Request.Headers.IfNoneMatch.Count == 0 ? TakeAsync(http) : http.SendAsync(new Ping(), static (http, _, reply) => CompareAsync(http, reply));
    }

    // reading the frame costs nothing; making the picture does
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
        Scale.ReadQuery(http, out var scale);
        return scale == 1 && !IsRaw(http) ? RawAnswer.WriteAsync(http, reply.Tail, Png) : WriteConvertedAsync(http, reply, scale);
    }

    private static async ValueTask WriteConvertedAsync(HttpContext http, Reply reply, int scale)
    {
        if (!PngFile.TryRead(reply.Tail.Span, out var pixels))
        {
            await Problems.DefectAsync(http, "The emulator's picture is a PNG that this gateway cannot convert; request it without scale and as image/png.");
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

/// <summary>The picture.</summary>
/// <param name="Frame">The frame that it is of.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bytes">A PNG, in base64.</param>
public readonly record struct ScreenAnswer(long Frame, [property: JsonConverter(typeof(EpochConverter))] uint Epoch, ReadOnlyMemory<byte> Bytes);

/// <summary>The JSON of the picture.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(ScreenAnswer))]
internal sealed partial class ScreenJson : JsonSerializerContext;
