namespace MgbaBridge.Engines.Video;

/// <summary>Draws what video memory contains.</summary>
public static class VideoPainter
{
    private const int Swatch = 8;
    private const int Unit = 256;

    /// <summary>Each palette as a row of squares of 8 pixels.</summary>
    public static VideoPicture Palettes(VideoFrame frame)
    {
        var picture = new VideoPicture(frame.Palettes.Max(palette => palette.Colors.Count) * Swatch, frame.Palettes.Count * Swatch);
        for (var y = 0; y < picture.Height; y++)
        {
            var colors = frame.Palettes[y / Swatch].Colors;
            for (var x = 0; x < colors.Count * Swatch; x++)
            {
                picture[x, y] = colors[x / Swatch];
            }
        }

        return picture;
    }

    /// <summary>Tiles side by side.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bits">The bits of a pixel.</param>
    /// <param name="palette">The palette to show them with.</param>
    /// <param name="first">The first tile.</param>
    /// <param name="count">How many.</param>
    /// <param name="columns">Tiles in a row.</param>
    public static VideoPicture Tiles(VideoFrame frame, int bits, int palette, int first, int count, int columns)
    {
        var picture = new VideoPicture(Math.Min(columns, count) * VideoFrame.TileSize, (count + columns - 1) / columns * VideoFrame.TileSize);
        for (var tile = 0; tile < count; tile++)
        {
            DrawTile(picture, frame, tile % columns * VideoFrame.TileSize, tile / columns * VideoFrame.TileSize, new VideoCell(first + tile, palette, false, false), bits);
        }

        return picture;
    }

    /// <summary>The whole background, without scrolling and transformation.</summary>
    public static VideoPicture Map(VideoFrame frame, VideoMap map)
    {
        var picture = new VideoPicture(map.Width, map.Height);
        if (map.Bitmap is { } bitmap)
        {
            for (var pixel = 0; pixel < bitmap.Count; pixel++)
            {
                picture.Draw(pixel % map.Width, pixel / map.Width, bitmap[pixel]);
            }

            return picture;
        }

        var columns = map.Width / VideoFrame.TileSize;
        for (var cell = 0; cell < map.Cells.Count; cell++)
        {
            DrawTile(picture, frame, cell % columns * VideoFrame.TileSize, cell / columns * VideoFrame.TileSize, map.Cells[cell], map.Bits);
        }

        return picture;
    }

    /// <summary>The part of the background that the screen shows: scrolled, rotated and scaled.</summary>
    public static VideoPicture Screen(VideoFrame frame, VideoMap map)
    {
        var (picture, whole) = (new VideoPicture(frame.ScreenWidth, frame.ScreenHeight), Map(frame, map));
        if (map.Kind == VideoMapKind.None)
        {
            return picture;
        }

        for (var y = 0; y < picture.Height; y++)
        {
            for (var x = 0; x < picture.Width; x++)
            {
                var (u, v) = PositionOf(map, x, y);
                if (map.Wraps)
                {
                    (u, v) = (u & (map.Width - 1), v & (map.Height - 1));
                }

                if (u >= 0 && u < map.Width && v >= 0 && v < map.Height)
                {
                    picture[x, y] = whole[u, v];
                }
            }
        }

        return picture;
    }

    /// <summary>A sprite as it is in memory, mirrored if it is shown so, not rotated and scaled. Null when it has no size.</summary>
    public static VideoPicture? Sprite(VideoFrame frame, VideoSprite sprite)
    {
        if (sprite.Width == 0)
        {
            return null;
        }

        var (picture, columns) = (new VideoPicture(sprite.Width, sprite.Height), sprite.Width / VideoFrame.TileSize);
        for (var tile = 0; tile < sprite.Tiles.Count; tile++)
        {
            var (column, row) = (tile % columns, tile / columns);
            var (x, y) = (sprite.FlipX ? columns - 1 - column : column, sprite.FlipY ? (sprite.Height / VideoFrame.TileSize) - 1 - row : row);
            DrawTile(picture, frame, x * VideoFrame.TileSize, y * VideoFrame.TileSize, new VideoCell(sprite.Tiles[tile], sprite.Palette, sprite.FlipX, sprite.FlipY), sprite.Bits, ofSprite: true);
        }

        return picture;
    }

    /// <summary>All sprites that are shown, as on the screen.</summary>
    public static VideoPicture Sprites(VideoFrame frame)
    {
        var picture = new VideoPicture(frame.ScreenWidth, frame.ScreenHeight);

        // what is in front is drawn last
        var shown = frame.Sprites.Where(sprite => sprite.Mode is VideoSpriteMode.Normal or VideoSpriteMode.Blended);
        foreach (var sprite in InOrder(frame, shown).Reverse())
        {
            DrawSprite(picture, frame, sprite);
        }

        return picture;
    }

    // the first one is in front: by priority on the GBA, else by number
    private static IEnumerable<VideoSprite> InOrder(VideoFrame frame, IEnumerable<VideoSprite> sprites) =>
        frame is GbaVideo ? sprites.OrderBy(sprite => sprite.Priority).ThenBy(sprite => sprite.Number) : sprites;

    private static void DrawSprite(VideoPicture picture, VideoFrame frame, VideoSprite sprite)
    {
        if (Sprite(frame, sprite) is not { } texture)
        {
            return;
        }

        for (var y = 0; y < sprite.AreaHeight; y++)
        {
            for (var x = 0; x < sprite.AreaWidth; x++)
            {
                var (u, v) = TexturePosition(sprite, x, y);
                if (u >= 0 && u < sprite.Width && v >= 0 && v < sprite.Height && texture[u, v] is not 0 and var color)
                {
                    picture.Draw(sprite.X + x, sprite.Y + y, color);
                }
            }
        }
    }

    // transformed around the middle of its area
    private static (int U, int V) TexturePosition(VideoSprite sprite, int x, int y)
    {
        if (sprite.Transform is not { } transform)
        {
            return (x, y);
        }

        var (right, down) = (x - (sprite.AreaWidth / 2), y - (sprite.AreaHeight / 2));
        return (
            (((transform.A * right) + (transform.B * down)) >> 8) + (sprite.Width / 2),
            (((transform.C * right) + (transform.D * down)) >> 8) + (sprite.Height / 2));
    }

    private static (int U, int V) PositionOf(VideoMap map, int x, int y) => map switch
    {
        { Transform: { } transform } => (Floor(map.X + (transform.A * x) + (transform.B * y)), Floor(map.Y + (transform.C * x) + (transform.D * y))),
        { Kind: VideoMapKind.Window } => (x - map.X, y - map.Y),
        _ => (x + map.X, y + map.Y),
    };

    private static int Floor(int position) => (int)Math.Floor((double)position / Unit);

    private static void DrawTile(VideoPicture picture, VideoFrame frame, int left, int top, VideoCell cell, int bits, bool ofSprite = false)
    {
        Span<byte> pixels = stackalloc byte[VideoFrame.TilePixels];
        if (ofSprite)
        {
            frame.ReadSpriteTile(cell.Tile, bits, pixels);
        }
        else
        {
            frame.ReadTile(cell.Tile, bits, pixels);
        }

        for (var pixel = 0; pixel < pixels.Length; pixel++)
        {
            var (x, y) = (pixel % VideoFrame.TileSize, pixel / VideoFrame.TileSize);
            picture.Draw(
                left + (cell.FlipX ? VideoFrame.TileSize - 1 - x : x), top + (cell.FlipY ? VideoFrame.TileSize - 1 - y : y), frame.ColorOf(cell.Palette, bits, pixels[pixel]));
        }
    }
}
