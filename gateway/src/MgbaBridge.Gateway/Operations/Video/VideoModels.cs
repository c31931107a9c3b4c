using System.Text.Json.Serialization;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Video;

/// <summary>Palettes.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Platform">`gba` or `gb`.</param>
/// <param name="Palettes">Those of backgrounds, then those of sprites.</param>
public readonly record struct PalettesAnswer(
    long Frame, Epoch Epoch, string Platform, IReadOnlyList<PaletteAnswer> Palettes)
{
    internal static PalettesAnswer Of(VideoFrame video) => new(
        video.Frame, video.Epoch, video.Platform, [.. video.Palettes.Select(palette => new PaletteAnswer(palette.Number, palette.IsSprites, [.. palette.Colors.Select(VideoColor.Text)]))]);
}

/// <summary>A palette.</summary>
/// <param name="Number">Its number: on the GBA 0 to 15 and 16 to 31 for sprites; on a Game Boy 0 to 7 and 8 to 15, without colours 0, 8 and 9.</param>
/// <param name="Sprites">Whether it is for sprites.</param>
/// <param name="Colors">Its colours as `#RRGGBB`, 16 or 4. The first one is transparent, except in backgrounds of a Game Boy.</param>
public readonly record struct PaletteAnswer(int Number, bool Sprites, IReadOnlyList<string> Colors);

/// <summary>Which tiles.</summary>
/// <param name="Bits">Bits of a pixel; null for the smaller one of the console.</param>
/// <param name="First">The first tile.</param>
/// <param name="Count">How many; null for all that follow.</param>
public readonly record struct TilesRequest(int? Bits, int First, int? Count);

/// <summary>Tiles.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Bits">Bits of a pixel in memory.</param>
/// <param name="First">The number of the first tile.</param>
/// <param name="Count">How many.</param>
/// <param name="Pixels">In base64, a byte a pixel with its colour in the palette: 64 bytes a tile, row by row.</param>
public readonly record struct TilesAnswer(
    long Frame, Epoch Epoch, int Bits, int First, int Count, ReadOnlyMemory<byte> Pixels)
{
    internal static TilesAnswer Of(VideoFrame video, int bits, int first, int count)
    {
        var pixels = new byte[count * VideoFrame.TilePixels];
        for (var tile = 0; tile < count; tile++)
        {
            video.ReadTile(first + tile, bits, pixels.AsSpan(tile * VideoFrame.TilePixels, VideoFrame.TilePixels));
        }

        return new TilesAnswer(video.Frame, video.Epoch, bits, first, count, pixels);
    }
}

/// <summary>The backgrounds.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Platform">`gba` or `gb`.</param>
/// <param name="Mode">The video mode, 0 to 5; 0 on a Game Boy.</param>
/// <param name="On">Whether the screen shows a picture: false when it is off or blanked.</param>
/// <param name="Maps">All of them.</param>
public readonly record struct MapsAnswer(
    long Frame, Epoch Epoch, string Platform, int Mode, bool On, IReadOnlyList<MapAnswer> Maps)
{
    internal static MapsAnswer Of(VideoFrame video) =>
        new(video.Frame, video.Epoch, video.Platform, video.Mode, video.IsOn, [.. video.Maps.Select(map => MapAnswer.Of(map))]);
}

/// <summary>A background.</summary>
/// <param name="Number">Its number.</param>
/// <param name="Kind">`text` (tiles), `affine` (tiles, rotated and scaled), `bitmap`, `window`, or `none`: the video mode does not have it.</param>
/// <param name="Enabled">Whether it is shown.</param>
/// <param name="Width">Pixels in a row of the whole background.</param>
/// <param name="Height">Rows of the whole background.</param>
/// <param name="Bits">Bits of a pixel: 2, 4 or 8; 16 for a bitmap of colours.</param>
/// <param name="Priority">0 is in front.</param>
/// <param name="X">Its column at the left edge of the screen; of `affine` and `bitmap` in 1/256 pixels; of a window, the column of the screen where it begins.</param>
/// <param name="Y">Its line at the top edge of the screen, in the same way.</param>
/// <param name="Wraps">Whether it repeats beyond its edges.</param>
/// <param name="Mosaic">Whether it is drawn with mosaic.</param>
/// <param name="TileBase">The location of the pixels of its tiles, or of a bitmap.</param>
/// <param name="MapBase">The location of its cells; absent for a bitmap.</param>
/// <param name="Transform">How the screen is projected onto it; absent when it is only scrolled.</param>
public readonly record struct MapAnswer(
    int Number,
    VideoMapKind Kind,
    bool Enabled,
    int Width,
    int Height,
    int Bits,
    int Priority,
    int X,
    int Y,
    bool Wraps,
    bool Mosaic,
    [property: JsonConverter(typeof(LocationConverter))] Location TileBase,
    [property: JsonConverter(typeof(LocationConverter))] Location? MapBase,
    VideoTransform? Transform)
{
    internal static MapAnswer Of(VideoMap map) => new(
        map.Number, map.Kind, map.IsEnabled, map.Width, map.Height, map.Bits, map.Priority, map.X, map.Y, map.Wraps, map.HasMosaic,
        Location.Bus(map.TileBase), map.MapBase is { } at ? Location.Bus(at) : null, map.Transform);
}

/// <summary>A background with its cells, row by row.</summary>
/// <param name="Frame">The script's frame count when it was read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Map">What is known about it.</param>
/// <param name="Columns">Cells in a row; 0 for a bitmap.</param>
/// <param name="Rows">Rows of cells; 0 for a bitmap.</param>
/// <param name="Tiles">The number of the tile of each cell, as in `video.tiles` with the map's bits; -1 for one that is not shown.</param>
/// <param name="Palettes">The number of the palette of each cell.</param>
/// <param name="Flips">For each cell 1 when it is mirrored left to right, plus 2 when top to bottom, plus 4 when in front of sprites (Game Boy Color).</param>
public readonly record struct MapCellsAnswer(
    long Frame,
    Epoch Epoch,
    MapAnswer Map,
    int Columns,
    int Rows,
    IReadOnlyList<int> Tiles,
    IReadOnlyList<int> Palettes,
    IReadOnlyList<int> Flips)
{
    internal static MapCellsAnswer Of(VideoFrame video, VideoMap map)
    {
        var (columns, rows) = map.Cells.Count > 0 ? (map.Width / VideoFrame.TileSize, map.Height / VideoFrame.TileSize) : (0, 0);
        return new MapCellsAnswer(
            video.Frame, video.Epoch, MapAnswer.Of(map), columns, rows,
            [.. map.Cells.Select(cell => cell.Tile)],
            [.. map.Cells.Select(cell => cell.Palette)],
            [.. map.Cells.Select(cell => (cell.FlipX ? 1 : 0) + (cell.FlipY ? 2 : 0) + (cell.IsInFront ? 4 : 0))]);
    }
}

/// <summary>The sprites.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Platform">`gba` or `gb`.</param>
/// <param name="Sprites">All of them, 128 or 40, hidden ones included.</param>
public readonly record struct SpritesAnswer(
    long Frame, Epoch Epoch, string Platform, IReadOnlyList<SpriteAnswer> Sprites)
{
    internal static SpritesAnswer Of(VideoFrame video) => new(video.Frame, video.Epoch, video.Platform, [.. video.Sprites.Select(sprite => SpriteAnswer.Of(video, sprite))]);
}

/// <summary>A sprite.</summary>
/// <param name="Number">Its number.</param>
/// <param name="OnScreen">Whether it is drawn and a part of its area is on the screen.</param>
/// <param name="Mode">`normal`, `blended`, `window` (its pixels are the sprite window) or `hidden`.</param>
/// <param name="X">The column of the screen of its left edge; may be negative.</param>
/// <param name="Y">The line of the screen of its top edge; may be negative.</param>
/// <param name="Width">Pixels in a row; 0 when its size is invalid.</param>
/// <param name="Height">Rows.</param>
/// <param name="Tile">The number of its first tile, as in `video.tiles`; on the GBA always in units of tiles of 4 bits.</param>
/// <param name="Bits">Bits of a pixel.</param>
/// <param name="Palette">The number of its palette.</param>
/// <param name="Priority">0 is in front; on a Game Boy 1 is behind the colours 1 to 3 of the background.</param>
/// <param name="FlipX">Whether it is mirrored left to right.</param>
/// <param name="FlipY">Whether it is mirrored top to bottom.</param>
/// <param name="Mosaic">Whether it is drawn with mosaic.</param>
/// <param name="DoubleSize">Whether the area that it is drawn in has twice its width and height.</param>
/// <param name="Transform">Its rotation and scaling; absent when it has none.</param>
public readonly record struct SpriteAnswer(
    int Number,
    bool OnScreen,
    VideoSpriteMode Mode,
    int X,
    int Y,
    int Width,
    int Height,
    int Tile,
    int Bits,
    int Palette,
    int Priority,
    bool FlipX,
    bool FlipY,
    bool Mosaic,
    bool DoubleSize,
    VideoTransform? Transform)
{
    internal static SpriteAnswer Of(VideoFrame video, VideoSprite sprite) => new(
        sprite.Number, IsOnScreen(video, sprite), sprite.Mode, sprite.X, sprite.Y, sprite.Width, sprite.Height, sprite.Tile, sprite.Bits, sprite.Palette, sprite.Priority,
        sprite.FlipX, sprite.FlipY, sprite.HasMosaic, sprite.IsDouble, sprite.Transform);

    private static bool IsOnScreen(VideoFrame video, VideoSprite sprite) =>
        sprite.Mode is VideoSpriteMode.Normal or VideoSpriteMode.Blended && sprite.X < video.ScreenWidth && sprite.Y < video.ScreenHeight
        && sprite.X + sprite.AreaWidth > 0 && sprite.Y + sprite.AreaHeight > 0;
}

/// <summary>The kind of a background in JSON: <c>"text"</c>.</summary>
public sealed class MapKindConverter() : JsonStringEnumConverter<VideoMapKind>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>How a sprite is drawn in JSON: <c>"blended"</c>.</summary>
public sealed class SpriteModeConverter() : JsonStringEnumConverter<VideoSpriteMode>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>The text that the backgrounds show.</summary>
/// <param name="Frame">The script's frame count when they were read.</param>
/// <param name="Epoch">Changes when the script or the game changes: eight hex digits.</param>
/// <param name="Lines">The rows of tiles with at least one letter.</param>
public readonly record struct TextAnswer(long Frame, Epoch Epoch, IReadOnlyList<string> Lines);

/// <summary>The JSON of video memory.</summary>
[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Strict, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    Converters = [typeof(MapKindConverter), typeof(SpriteModeConverter)])]
[JsonSerializable(typeof(PalettesAnswer))]
[JsonSerializable(typeof(TilesAnswer))]
[JsonSerializable(typeof(PictureAnswer))]
[JsonSerializable(typeof(MapsAnswer))]
[JsonSerializable(typeof(MapCellsAnswer))]
[JsonSerializable(typeof(SpritesAnswer))]
[JsonSerializable(typeof(TextAnswer))]
internal sealed partial class VideoJson : JsonSerializerContext;
