using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Pictures;
using MgbaBridge.Gateway.Video;
using Microsoft.Net.Http.Headers;

namespace MgbaBridge.Gateway.Api.Video;

/// <summary>Video memory as pictures.</summary>
internal static class VideoPictureOperations
{
    private const string Png = "image/png";
    private const int MaxScale = 8;
    private const int MaxColumns = 64;
    private const int UsualColumns = 32;
    private const int MaxPixels = 4_194_304;

    private static readonly Input Scale = new("scale", "Makes each pixel a square of this many, 1 to 8.", "2") { IsInteger = true };

    public static EndpointOperation Palettes { get; } = new("video.palettesPicture", HttpMethods.Get, "/v2/video/palettes/picture", Access.Read, static http => ShowAsync(http, Paint(VideoPainter.Palettes)))
    {
        Tag = VideoOperations.Tag,
        Summary = "The palettes as a PNG",
        Description = "A row for each palette in the order of `/v2/video/palettes`, with a square of 8 by 8 pixels for each colour.",
        Inputs = [Scale],
        Contents = [Content.Bytes(Png)],
    };

    public static EndpointOperation Tiles { get; } = new("video.tilesPicture", HttpMethods.Get, "/v2/video/tiles/picture", Access.Read, static http => ShowAsync(http, video => PaintTiles(http, video)))
    {
        Tag = VideoOperations.Tag,
        Summary = "Tiles side by side as a PNG",
        Description = "Transparent pixels have no opacity.",
        Inputs =
        [
            TileInputs.Bits, TileInputs.First, TileInputs.Count,
            new Input("palette", "The number of the palette to show them with, as in `/v2/video/palettes`; 0 unless given.", "16") { IsInteger = true },
            new Input("columns", "Tiles in a row, 1 to 64; 32 unless given.", "16") { IsInteger = true },
            Scale,
        ],
        Contents = [Content.Bytes(Png)],
    };

    public static EndpointOperation Map { get; } = new("video.mapPicture", HttpMethods.Get, "/v2/video/maps/{map}/picture", Access.Read, static http => ShowAsync(http, video => PaintMap(http, video)))
    {
        Tag = VideoOperations.Tag,
        Summary = "A background as a PNG",
        Description = "The whole background, or with `part=screen` what the screen shows of it: scrolled, rotated and scaled. Windows, blending and mosaic are not applied. Transparent pixels have no opacity.",
        Inputs = [new Input("part", "`whole` unless given, or `screen`.", "screen"), Scale],
        Contents = [Content.Bytes(Png)],
        OtherResponses = [VideoOperations.NoMap],
    };

    public static EndpointOperation Sprites { get; } = new("video.spritesPicture", HttpMethods.Get, "/v2/video/sprites/picture", Access.Read, static http => ShowAsync(http, Paint(VideoPainter.Sprites)))
    {
        Tag = VideoOperations.Tag,
        Summary = "The sprites on the screen as a PNG",
        Description = "All sprites that are shown, at their positions, rotated and scaled, without backgrounds. The sprite window, blending and mosaic are not applied. Transparent pixels have no opacity.",
        Inputs = [Scale],
        Contents = [Content.Bytes(Png)],
    };

    public static EndpointOperation Sprite { get; } = new("video.spritePicture", HttpMethods.Get, "/v2/video/sprites/{sprite}/picture", Access.Read, static http => ShowAsync(http, video => PaintSprite(http, video)))
    {
        Tag = VideoOperations.Tag,
        Summary = "A sprite as a PNG",
        Description = "In its own size: mirrored if it is shown so, not rotated and scaled. Transparent pixels have no opacity.",
        Inputs = [Scale],
        Contents = [Content.Bytes(Png)],
        OtherResponses = [(404, "There is no sprite of this number, or its size is invalid.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Palettes, Tiles, Map, Sprites, Sprite];

    private static Func<VideoFrame, OperationResult<VideoPicture>> Paint(Func<VideoFrame, VideoPicture> paint) => video => paint(video);

    private static OperationResult<VideoPicture> PaintTiles(HttpContext http, VideoFrame video)
    {
        var wrong = TileInputs.Read(http, out var request) ?? TileInputs.Range(video, request, out _, out _, out _);
        if (wrong is not null)
        {
            return Refusal.BadRequest(wrong);
        }

        if (!QueryNumber.TryRead(http, "palette", 0, int.MaxValue, out var palette) || video.Palettes.All(known => known.Number != palette))
        {
            return Refusal.BadRequest($"palette is one of {string.Join(", ", video.Palettes.Select(known => known.Number))}.");
        }

        if (!QueryNumber.TryRead(http, "columns", UsualColumns, MaxColumns, out var columns) || columns == 0)
        {
            return Refusal.BadRequest($"columns is 1 to {MaxColumns}.");
        }

        TileInputs.Range(video, request, out var bits, out var first, out var count);
        return VideoPainter.Tiles(video, bits, palette, first, count, columns);
    }

    private static OperationResult<VideoPicture> PaintMap(HttpContext http, VideoFrame video)
    {
        var part = http.Request.Query["part"].ToString();
        if (part is not ("" or "whole" or "screen"))
        {
            return Refusal.BadRequest("part is whole or screen.");
        }

        return video.Map(VideoOperations.NumberIn(http, VideoOperations.MapRoute)) is not { } map ? VideoOperations.NoMapAmong(video)
            : map.Kind == VideoMapKind.None ? Refusal.NotFound("map", $"Video mode {video.Mode} does not have background {map.Number}; GET /v2/video/maps lists them.")
            : part == "screen" ? VideoPainter.Screen(video, map)
            : VideoPainter.Map(video, map);
    }

    private static OperationResult<VideoPicture> PaintSprite(HttpContext http, VideoFrame video)
    {
        var number = VideoOperations.NumberIn(http, "sprite");
        return number < 0 || number >= video.Sprites.Count ? Refusal.NotFound("sprite", $"Sprites have numbers from 0 to {video.Sprites.Count - 1}.")
            : VideoPainter.Sprite(video, video.Sprites[number]) is { } picture ? picture
            : Refusal.NotFound("sprite", $"Sprite {number} has an invalid shape, so it has no picture.");
    }

    private static Task ShowAsync(HttpContext http, Func<VideoFrame, OperationResult<VideoPicture>> paint) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        if (!QueryNumber.TryRead(http, "scale", 1, MaxScale, out var scale) || scale == 0)
        {
            await Problems.BadRequestAsync(http, $"scale is 1 to {MaxScale}.");
            return;
        }

        var (video, failure) = await VideoReader.ReadAsync(emulator, http.RequestAborted);
        if (video is null)
        {
            await Problems.WriteAsync(http, emulator.Id, failure!);
            return;
        }

        Headers.SetFrame(http.Response, video.Frame, video.Epoch);
        var (picture, refusal, _, _) = paint(video);
        if (refusal is null && (long)picture!.Width * scale * picture.Height * scale > MaxPixels)
        {
            refusal = Refusal.BadRequest($"The picture would have {picture.Width * scale} by {picture.Height * scale} pixels, more than {MaxPixels}; use a smaller scale.");
        }

        if (refusal is not null)
        {
            await Problems.WriteAsync(http, emulator.Id, refusal);
            return;
        }

        using var body = StreamPool.Rent("video");
        PngFile.WriteWithAlpha(picture!.Rgba, picture.Width, scale, body);
        http.Response.Headers[HeaderNames.CacheControl] = "no-cache";
        await RawAnswer.WriteAsync(http, body, Png);
    });
}
