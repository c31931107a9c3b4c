using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Engines.Video;

/// <summary>The video memory of one frame, decoded: palettes, tiles, tile maps and sprites.</summary>
public abstract class VideoFrame
{
    /// <summary>Pixels of a tile.</summary>
    public const int TilePixels = TileSize * TileSize;

    /// <summary>Pixels in a row of a tile.</summary>
    public const int TileSize = 8;

    /// <summary>The script's frame count.</summary>
    public required long Frame { get; init; }

    /// <summary>The epoch.</summary>
    public required Epoch Epoch { get; init; }

    /// <summary>Pixels in a row of the screen.</summary>
    public abstract int ScreenWidth { get; }

    /// <summary>Rows of the screen.</summary>
    public abstract int ScreenHeight { get; }

    /// <summary>The console: <c>gba</c> or <c>gb</c>.</summary>
    public abstract string Platform { get; }

    /// <summary>The number of the video mode; 0 on a Game Boy.</summary>
    public virtual int Mode => 0;

    /// <summary>Whether the screen shows a picture: it is off or forced blank otherwise.</summary>
    public abstract bool IsOn { get; }

    /// <summary>The palettes, background first, then sprites.</summary>
    public abstract IReadOnlyList<VideoPalette> Palettes { get; }

    /// <summary>The possible numbers of bits of a pixel in a tile.</summary>
    public abstract IReadOnlyList<int> TileBits { get; }

    /// <summary>The backgrounds.</summary>
    public abstract IReadOnlyList<VideoMap> Maps { get; }

    /// <summary>The sprites, in the order of their memory.</summary>
    public abstract IReadOnlyList<VideoSprite> Sprites { get; }

    /// <summary>The number of tiles that video memory has room for.</summary>
    public abstract int TileCount(int bits);

    /// <summary>Decodes a tile to its colours within the palette, a byte a pixel. A tile that is outside video memory is transparent.</summary>
    public abstract void ReadTile(int tile, int bits, Span<byte> pixels);

    /// <summary>Decodes a tile of a sprite.</summary>
    /// <param name="tile">Its number as in <see cref="VideoSprite.Tiles"/>.</param>
    /// <param name="bits">The bits of a pixel.</param>
    /// <param name="pixels">Receives the pixels.</param>
    public virtual void ReadSpriteTile(int tile, int bits, Span<byte> pixels) => ReadTile(tile, bits, pixels);

    /// <summary>The colour of a pixel of a tile; null when it is transparent.</summary>
    /// <param name="palette">The number of the palette.</param>
    /// <param name="bits">The bits of a pixel.</param>
    /// <param name="value">The pixel.</param>
    public abstract uint? ColorOf(int palette, int bits, int value);

    /// <summary>A map that exists, or null.</summary>
    public VideoMap? Map(int number) => number >= 0 && number < Maps.Count ? Maps[number] : null;
}

/// <summary>A palette.</summary>
/// <param name="Number">Its number: on the GBA 0 to 15 for backgrounds and 16 to 31 for sprites, on a Game Boy 0 to 7 and 8 to 15.</param>
/// <param name="IsSprites">Whether sprites use it.</param>
/// <param name="Colors">Its colours.</param>
public sealed record VideoPalette(int Number, bool IsSprites, IReadOnlyList<uint> Colors);

/// <summary>What a background consists of.</summary>
public enum VideoMapKind
{
    /// <summary>The video mode does not have this background.</summary>
    None,

    /// <summary>Tiles with a palette and flips each.</summary>
    Text,

    /// <summary>Tiles of 256 colours, rotated and scaled.</summary>
    Affine,

    /// <summary>Pixels instead of tiles.</summary>
    Bitmap,

    /// <summary>The window of a Game Boy.</summary>
    Window,
}

/// <summary>A background.</summary>
public sealed record VideoMap
{
    /// <summary>Its number.</summary>
    public required int Number { get; init; }

    /// <summary>What it consists of.</summary>
    public required VideoMapKind Kind { get; init; }

    /// <summary>Whether it is shown.</summary>
    public bool IsEnabled { get; init; }

    /// <summary>Pixels in a row of the whole background.</summary>
    public int Width { get; init; }

    /// <summary>Rows of the whole background.</summary>
    public int Height { get; init; }

    /// <summary>Bits of a pixel: 2, 4 or 8; 16 for a bitmap of colours.</summary>
    public int Bits { get; init; }

    /// <summary>0 is in front.</summary>
    public int Priority { get; init; }

    /// <summary>The pixel of the background at the left edge of the screen; of a window, the column of the screen where it begins.</summary>
    public int X { get; init; }

    /// <summary>The pixel of the background at the top edge of the screen; of a window, the line of the screen where it begins.</summary>
    public int Y { get; init; }

    /// <summary>Whether it repeats beyond its edges.</summary>
    public bool Wraps { get; init; }

    /// <summary>Whether it is drawn with mosaic.</summary>
    public bool HasMosaic { get; init; }

    /// <summary>The location of its tiles' pixels; of a bitmap, of its pixels.</summary>
    public long TileBase { get; init; }

    /// <summary>The location of its cells; null for a bitmap.</summary>
    public long? MapBase { get; init; }

    /// <summary>How the screen is projected onto it; null when it is only scrolled.</summary>
    public VideoTransform? Transform { get; init; }

    /// <summary>Its cells row by row; none for a bitmap.</summary>
    public IReadOnlyList<VideoCell> Cells { get; init; } = [];

    /// <summary>The colour of each pixel of a bitmap, or null.</summary>
    public IReadOnlyList<uint?>? Bitmap { get; init; }
}

/// <summary>A cell of a tile map.</summary>
/// <param name="Tile">The number of the tile in video memory, in units of the map's bits.</param>
/// <param name="Palette">The number of the palette.</param>
/// <param name="FlipX">Whether it is mirrored left to right.</param>
/// <param name="FlipY">Whether it is mirrored top to bottom.</param>
/// <param name="IsInFront">Whether it is in front of sprites (Game Boy Color).</param>
public readonly record struct VideoCell(int Tile, int Palette, bool FlipX, bool FlipY, bool IsInFront = false);

/// <summary>A rotation and scaling, as the registers have it: 1/256 pixels.</summary>
/// <param name="A">How far one pixel to the right goes to the right.</param>
/// <param name="B">How far one line down goes to the right.</param>
/// <param name="C">How far one pixel to the right goes down.</param>
/// <param name="D">How far one line down goes down.</param>
public readonly record struct VideoTransform(int A, int B, int C, int D);

/// <summary>A sprite.</summary>
public sealed record VideoSprite
{
    /// <summary>Its number.</summary>
    public required int Number { get; init; }

    /// <summary>The column of the screen of its left edge; may be negative.</summary>
    public int X { get; init; }

    /// <summary>The line of the screen of its top edge; may be negative.</summary>
    public int Y { get; init; }

    /// <summary>Pixels in a row.</summary>
    public int Width { get; init; }

    /// <summary>Rows.</summary>
    public int Height { get; init; }

    /// <summary>The number of its first tile in video memory; on the GBA tiles of sprites count in units of 32 bytes, also those of 8 bits a pixel.</summary>
    public int Tile { get; init; }

    /// <summary>The number of each of its tiles, row by row.</summary>
    public IReadOnlyList<int> Tiles { get; init; } = [];

    /// <summary>Bits of a pixel.</summary>
    public int Bits { get; init; }

    /// <summary>The number of its palette.</summary>
    public int Palette { get; init; }

    /// <summary>0 is in front; on a Game Boy 1 is behind the colours 1 to 3 of the background.</summary>
    public int Priority { get; init; }

    /// <summary>Whether it is mirrored left to right.</summary>
    public bool FlipX { get; init; }

    /// <summary>Whether it is mirrored top to bottom.</summary>
    public bool FlipY { get; init; }

    /// <summary>How it is drawn.</summary>
    public VideoSpriteMode Mode { get; init; }

    /// <summary>Whether it is drawn with mosaic.</summary>
    public bool HasMosaic { get; init; }

    /// <summary>Its rotation and scaling, or null.</summary>
    public VideoTransform? Transform { get; init; }

    /// <summary>Whether the area that it is drawn in is twice its size in both directions.</summary>
    public bool IsDouble { get; init; }

    /// <summary>Pixels in a row of the area that it is drawn in.</summary>
    public int AreaWidth => IsDouble ? Width * 2 : Width;

    /// <summary>Rows of the area that it is drawn in.</summary>
    public int AreaHeight => IsDouble ? Height * 2 : Height;
}

/// <summary>How a sprite is drawn.</summary>
public enum VideoSpriteMode
{
    /// <summary>As it is.</summary>
    Normal,

    /// <summary>Blended with what is behind it.</summary>
    Blended,

    /// <summary>Not drawn: its pixels are the sprite window.</summary>
    Window,

    /// <summary>Not drawn.</summary>
    Hidden,
}
