using MgbaBridge.Client.Buffers;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Video;

namespace MgbaBridge.Gateway.Operations.Video;

/// <summary>Video memory as pictures.</summary>
internal static class VideoPictureOperations
{
    private const int MaxScale = 8;
    private const int MaxColumns = 64;
    private const int DefaultColumns = 32;
    private const int MaxPixels = 4_194_304;

    private static readonly Parameter<int> Scale = Parameter.Integer("scale", 1, MaxScale, "Makes each pixel a square of this many.").Or(1) with { Example = "2" };

    public static HandlerOperation<int, PictureAnswer> Palettes { get; } = new(VideoOperations.Resource, "video.palettesPicture", HttpMethods.Get, "/v2/video/palettes/picture", Access.Read)
    {
        Summary = "The palettes as a PNG",
        Description = "A row for each palette in the order of `video.palettes`, with a square of 8 by 8 pixels for each colour.",
        Request = Parameters.Of(Scale),
        Run = static (invocation, scale) => PaintAsync(invocation, scale, static video => VideoPainter.Palettes(video)),
        Bytes = PictureAnswer.AsBytes,
    };

    public static HandlerOperation<(TilesRequest Tiles, int Palette, int Columns, int Scale), PictureAnswer> Tiles { get; } = new(VideoOperations.Resource, "video.tilesPicture", HttpMethods.Get, "/v2/video/tiles/picture", Access.Read)
    {
        Summary = "Tiles side by side as a PNG",
        Description = "Transparent pixels have no opacity.",
        Request = Parameters.Of(
            TileParameters.Bits,
            TileParameters.First,
            TileParameters.Count,
            Parameter.Integer("palette", 0, int.MaxValue, "The number of the palette to show them with, as in `video.palettes`.").Or(0) with { Example = "16" },
            Parameter.Integer("columns", 1, MaxColumns, "Tiles in a row.").Or(DefaultColumns) with { Example = "16" },
            Scale,
            static (bits, first, count, palette, columns, scale) => (new TilesRequest(bits, first, count), palette, columns, scale)),
        Run = static (invocation, request) => PaintAsync(invocation, request.Scale, video => PaintTiles(video, request.Tiles, request.Palette, request.Columns)),
        Bytes = PictureAnswer.AsBytes,
    };

    public static HandlerOperation<(int Map, string Part, int Scale), PictureAnswer> Map { get; } = new(VideoOperations.Resource, "video.mapPicture", HttpMethods.Get, "/v2/video/maps/{map}/picture", Access.Read)
    {
        Summary = "A background as a PNG",
        Description = "The whole background, or with `part=screen` what the screen shows of it: scrolled, rotated and scaled. Windows, blending and mosaic are not applied. Transparent pixels have no opacity.",
        Request = Parameters.Of(
            VideoOperations.Number, Parameter.OneOf("part", "What of it.", "whole", "screen").Or("whole"), Scale, static (map, part, scale) => (map, part, scale)),
        Run = static (invocation, request) => PaintAsync(invocation, request.Scale, video => PaintMap(video, request.Map, request.Part == "screen")),
        Bytes = PictureAnswer.AsBytes,
        Statuses = [VideoOperations.NoMap],
    };

    public static HandlerOperation<int, PictureAnswer> Sprites { get; } = new(VideoOperations.Resource, "video.spritesPicture", HttpMethods.Get, "/v2/video/sprites/picture", Access.Read)
    {
        Summary = "The sprites on the screen as a PNG",
        Description = "All sprites that are shown, at their positions, rotated and scaled, without backgrounds. The sprite window, blending and mosaic are not applied. Transparent pixels have no opacity.",
        Request = Parameters.Of(Scale),
        Run = static (invocation, scale) => PaintAsync(invocation, scale, static video => VideoPainter.Sprites(video)),
        Bytes = PictureAnswer.AsBytes,
    };

    public static HandlerOperation<(int Sprite, int Scale), PictureAnswer> Sprite { get; } = new(VideoOperations.Resource, "video.spritePicture", HttpMethods.Get, "/v2/video/sprites/{sprite}/picture", Access.Read)
    {
        Summary = "A sprite as a PNG",
        Description = "In its own size: mirrored if it is shown so, not rotated and scaled. Transparent pixels have no opacity.",
        Request = Parameters.Of(
            Parameter.Integer("sprite", 0, int.MaxValue, "A sprite: 0 to 127 on the GBA, 0 to 39 on a Game Boy.") with { Example = "0" }, Scale, static (sprite, scale) => (sprite, scale)),
        Run = static (invocation, request) => PaintAsync(invocation, request.Scale, video => PaintSprite(video, request.Sprite)),
        Bytes = PictureAnswer.AsBytes,
        Statuses = [(FailureKind.NoSuchSprite, "there is no sprite of this number, or its size is invalid.")],
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Palettes, Tiles, Map, Sprites, Sprite];

    private static Result<VideoPicture> PaintTiles(VideoFrame video, TilesRequest request, int palette, int columns) =>
        TileParameters.Range(video, request, out var bits, out var first, out var count) is { } wrong ? Failure.BadRequest(wrong)
        : video.Palettes.All(known => known.Number != palette) ? Failure.BadRequest($"palette is {palette}; expected one of {string.Join(", ", video.Palettes.Select(known => known.Number))}.")
        : VideoPainter.Tiles(video, bits, palette, first, count, columns);

    private static Result<VideoPicture> PaintMap(VideoFrame video, int number, bool isScreen) => video.Map(number) is not { } map ? VideoOperations.NoMapAmong(video)
        : map.Kind == VideoMapKind.None ? new Failure(FailureKind.NoSuchMap, $"Video mode {video.Mode} does not have background {map.Number}.", new NextStep(VideoOperations.Maps, "lists them"))
        : isScreen ? VideoPainter.Screen(video, map)
        : VideoPainter.Map(video, map);

    private static Result<VideoPicture> PaintSprite(VideoFrame video, int number) =>
        number >= video.Sprites.Count ? new Failure(FailureKind.NoSuchSprite, $"Sprites have numbers from 0 to {video.Sprites.Count - 1}.")
        : VideoPainter.Sprite(video, video.Sprites[number]) is { } picture ? picture
        : new Failure(FailureKind.NoSuchSprite, $"Sprite {number} has an invalid shape, so it has no picture.");

    private static ValueTask<Result<PictureAnswer>> PaintAsync(Invocation invocation, int scale, Func<VideoFrame, Result<VideoPicture>> paint) =>
        VideoOperations.ReadAsync<PictureAnswer>(invocation, video =>
        {
            var (picture, failure, _, _) = paint(video);
            if (failure is not null)
            {
                return failure;
            }

            if ((long)picture!.Width * scale * picture.Height * scale > MaxPixels)
            {
                return Failure.BadRequest($"The picture would have {picture.Width * scale} by {picture.Height * scale} pixels, more than {MaxPixels}; use a smaller scale.");
            }

            using var body = StreamPool.Rent("video");
            PngFile.WriteWithAlpha(picture.Rgba, picture.Width, scale, body);
            return new PictureAnswer(video.Frame, video.Epoch, body.ToArray());
        });
}
