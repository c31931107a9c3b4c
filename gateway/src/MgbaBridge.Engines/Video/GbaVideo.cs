using System.Buffers.Binary;

namespace MgbaBridge.Engines.Video;

/// <summary>The video memory of a Game Boy Advance.</summary>
public sealed class GbaVideo : VideoFrame
{
    /// <summary>Bytes of the palettes.</summary>
    public const int PaletteSize = 0x400;

    /// <summary>Where video memory begins.</summary>
    public const int VideoBase = 0x06000000;

    /// <summary>Bytes of video memory.</summary>
    public const int VideoSize = 0x18000;

    /// <summary>Bytes of the sprites' attributes.</summary>
    public const int SpriteSize = 0x400;

    /// <summary>Bytes of the registers that are needed.</summary>
    public const int RegisterSize = 0x60;

    private const int SpriteTiles = 0x10000;
    private const int SpriteColors = 256;
    private const int SpriteUnit = 32;
    private const int MapBlock = 0x800;
    private const int BlockCells = 32;
    private const int SmallMode = 5;

    // pixels by shape (square, wide, tall) and size
    private static readonly (int Width, int Height)[][] Sizes =
    [
        [(8, 8), (16, 16), (32, 32), (64, 64)],
        [(16, 8), (32, 8), (32, 16), (64, 32)],
        [(8, 16), (8, 32), (16, 32), (32, 64)],
    ];

    private readonly byte[] _video;
    private readonly byte[] _registers;
    private readonly uint[] _colors = new uint[PaletteSize / 2];

    /// <summary>Decodes it.</summary>
    /// <param name="palette">The palettes, from 0x05000000.</param>
    /// <param name="video">Video memory, from 0x06000000.</param>
    /// <param name="sprites">The sprites' attributes, from 0x07000000.</param>
    /// <param name="registers">The registers, from 0x04000000.</param>
    public GbaVideo(ReadOnlySpan<byte> palette, ReadOnlySpan<byte> video, ReadOnlySpan<byte> sprites, ReadOnlySpan<byte> registers)
    {
        (_video, _registers) = (video.ToArray(), registers.ToArray());
        for (var color = 0; color < _colors.Length; color++)
        {
            _colors[color] = VideoColor.Of(BinaryPrimitives.ReadUInt16LittleEndian(palette[(color * 2)..]));
        }

        Palettes = [.. Enumerable.Range(0, 32).Select(number => new VideoPalette(number, number >= 16, _colors.AsSpan(number * 16, 16).ToArray()))];
        Maps = [.. Enumerable.Range(0, 4).Select(MapOf)];
        var attributes = sprites.ToArray();
        Sprites = [.. Enumerable.Range(0, SpriteSize / 8).Select(number => SpriteOf(attributes, number))];
    }

    public override int ScreenWidth => 240;

    public override int ScreenHeight => 160;

    public override string Platform => "gba";

    public override int Mode => Control & 7;

    public override bool IsOn => (Control & 0x80) == 0;

    public override IReadOnlyList<VideoPalette> Palettes { get; }

    public override IReadOnlyList<int> TileBits { get; } = [4, 8];

    public override IReadOnlyList<VideoMap> Maps { get; }

    public override IReadOnlyList<VideoSprite> Sprites { get; }

    private int Control => Register(0);

    public override int TileCount(int bits) => VideoSize / (TilePixels * bits / 8);

    public override void ReadTile(int tile, int bits, Span<byte> pixels)
    {
        var size = TilePixels * bits / 8;
        if (tile < 0 || tile >= TileCount(bits))
        {
            pixels[..TilePixels].Clear();
            return;
        }

        var bytes = _video.AsSpan(tile * size, size);
        for (var pixel = 0; pixel < TilePixels; pixel++)
        {
            pixels[pixel] = bits == 8 ? bytes[pixel] : (byte)((bytes[pixel / 2] >> (pixel % 2 * 4)) & 0xF);
        }
    }

    public override void ReadSpriteTile(int tile, int bits, Span<byte> pixels)
    {
        for (var pixel = 0; pixel < TilePixels; pixel++)
        {
            // beyond the end, the tiles of sprites begin again
            var at = SpriteTiles + (((tile * SpriteUnit) + (pixel * bits / 8)) & ((VideoSize - SpriteTiles) - 1));
            pixels[pixel] = bits == 8 ? _video[at] : (byte)((_video[at] >> (pixel % 2 * 4)) & 0xF);
        }
    }

    public override uint? ColorOf(int palette, int bits, int value) =>
        value == 0 ? null : _colors[(bits == 8 ? palette / 16 * SpriteColors : palette * 16) + value];

    private int Register(int at) => BinaryPrimitives.ReadUInt16LittleEndian(_registers.AsSpan(at));

    private int Signed(int at) => BinaryPrimitives.ReadInt16LittleEndian(_registers.AsSpan(at));

    // 28 bits with a sign
    private int Reference(int at) => BinaryPrimitives.ReadInt32LittleEndian(_registers.AsSpan(at)) << 4 >> 4;

    private VideoMap MapOf(int number)
    {
        var settings = Register(8 + (number * 2));
        var map = new VideoMap
        {
            Number = number,
            Kind = KindOf(number),
            IsEnabled = ((Control >> (8 + number)) & 1) != 0,
            Priority = settings & 3,
            HasMosaic = (settings & 0x40) != 0,
        };
        return map.Kind switch
        {
            VideoMapKind.Text => TextMap(map, settings),
            VideoMapKind.Affine => AffineMap(map, settings),
            VideoMapKind.Bitmap => BitmapMap(map),
            _ => map,
        };
    }

    private VideoMapKind KindOf(int number) => (Mode, number) switch
    {
        (0, _) or (1, 0 or 1) => VideoMapKind.Text,
        (1, 2) or (2, 2 or 3) => VideoMapKind.Affine,
        (3 or 4 or SmallMode, 2) => VideoMapKind.Bitmap,
        _ => VideoMapKind.None,
    };

    private VideoMap TextMap(VideoMap map, int settings)
    {
        var (bits, tiles, cells) = ((settings & 0x80) != 0 ? 8 : 4, (settings >> 2 & 3) * 0x4000, (settings >> 8 & 31) * MapBlock);
        var (columns, rows) = ((settings & 0x4000) != 0 ? 64 : 32, (settings & 0x8000) != 0 ? 64 : 32);
        var first = tiles / (TilePixels * bits / 8);
        var all = new VideoCell[columns * rows];
        for (var cell = 0; cell < all.Length; cell++)
        {
            var (column, row) = (cell % columns, cell / columns);
            var block = (column / BlockCells) + (row / BlockCells * (columns / BlockCells));
            var entry = Entry(cells + (block * MapBlock) + ((((row % BlockCells) * BlockCells) + (column % BlockCells)) * 2));
            all[cell] = new VideoCell(InBackgrounds(first + (entry & 0x3FF), bits), bits == 8 ? 0 : entry >> 12, (entry & 0x400) != 0, (entry & 0x800) != 0);
        }

        return map with
        {
            Bits = bits,
            Width = columns * TileSize,
            Height = rows * TileSize,
            X = Register(0x10 + (map.Number * 4)) & 0x1FF,
            Y = Register(0x12 + (map.Number * 4)) & 0x1FF,
            Wraps = true,
            TileBase = VideoBase + tiles,
            MapBase = VideoBase + cells,
            Cells = all,
        };
    }

    private VideoMap AffineMap(VideoMap map, int settings)
    {
        var (columns, tiles, cells) = (16 << (settings >> 14 & 3), (settings >> 2 & 3) * 0x4000, (settings >> 8 & 31) * MapBlock);
        var all = new VideoCell[columns * columns];
        for (var cell = 0; cell < all.Length; cell++)
        {
            all[cell] = new VideoCell(InBackgrounds((tiles / TilePixels) + _video[cells + cell], 8), 0, false, false);
        }

        return Transformed(map) with
        {
            Bits = 8,
            Width = columns * TileSize,
            Height = columns * TileSize,
            Wraps = (settings & 0x2000) != 0,
            TileBase = VideoBase + tiles,
            MapBase = VideoBase + cells,
            Cells = all,
        };
    }

    private VideoMap BitmapMap(VideoMap map)
    {
        var page = Mode != 3 && (Control & 0x10) != 0 ? 0xA000 : 0;
        var (width, height) = Mode == SmallMode ? (160, 128) : (ScreenWidth, ScreenHeight);
        var pixels = new uint?[width * height];
        for (var pixel = 0; pixel < pixels.Length; pixel++)
        {
            pixels[pixel] = Mode == 4
                ? ColorOf(0, 8, _video[page + pixel])
                : VideoColor.Of(BinaryPrimitives.ReadUInt16LittleEndian(_video.AsSpan(page + (pixel * 2))));
        }

        return Transformed(map) with { Bits = Mode == 4 ? 8 : 16, Width = width, Height = height, TileBase = VideoBase + page, Bitmap = pixels };
    }

    private VideoMap Transformed(VideoMap map)
    {
        var at = map.Number == 2 ? 0x20 : 0x30;
        return map with { Transform = new VideoTransform(Signed(at), Signed(at + 2), Signed(at + 4), Signed(at + 6)), X = Reference(at + 8), Y = Reference(at + 12) };
    }

    private int Entry(int at) => BinaryPrimitives.ReadUInt16LittleEndian(_video.AsSpan(at));

    // tiles of backgrounds end where those of sprites begin
    private static int InBackgrounds(int tile, int bits) => tile * (TilePixels * bits / 8) < SpriteTiles ? tile : -1;

    private VideoSprite SpriteOf(byte[] attributes, int number)
    {
        var words = attributes.AsSpan(number * 8);
        var (first, second, third) = (BinaryPrimitives.ReadUInt16LittleEndian(words), BinaryPrimitives.ReadUInt16LittleEndian(words[2..]), BinaryPrimitives.ReadUInt16LittleEndian(words[4..]));
        var (isAffine, shape, bits) = ((first & 0x100) != 0, first >> 14, (first & 0x2000) != 0 ? 8 : 4);
        var (width, height) = shape < Sizes.Length ? Sizes[shape][second >> 14] : (0, 0);

        // the bitmaps of the last modes take the place of the first half of the tiles
        var isHidden = width == 0 || (!isAffine && (first & 0x200) != 0) || (Control & 0x1000) == 0 || (Mode >= 3 && (third & 0x3FF) < 512);
        var tiles = TilesOf(third & 0x3FF, bits, width, height);
        return new VideoSprite
        {
            Number = number,
            X = (second & 0x1FF) - ((second & 0x100) != 0 ? 0x200 : 0),
            Y = (first & 0xFF) - ((first & 0xFF) >= ScreenHeight ? 0x100 : 0),
            Width = width,
            Height = height,
            Tile = tiles.Length > 0 ? tiles[0] : 0,
            Tiles = tiles,
            Bits = bits,
            Palette = 16 + (bits == 8 ? 0 : third >> 12),
            Priority = third >> 10 & 3,
            FlipX = !isAffine && (second & 0x1000) != 0,
            FlipY = !isAffine && (second & 0x2000) != 0,
            Mode = isHidden ? VideoSpriteMode.Hidden : (first >> 10 & 3) switch { 0 => VideoSpriteMode.Normal, 1 => VideoSpriteMode.Blended, 2 => VideoSpriteMode.Window, _ => VideoSpriteMode.Hidden },
            HasMosaic = (first & 0x1000) != 0,
            IsDouble = isAffine && (first & 0x200) != 0,
            Transform = isAffine ? TransformOf(attributes, second >> 9 & 31) : null,
        };
    }

    // four sprites hold one transformation in their last bytes
    private static VideoTransform TransformOf(byte[] attributes, int number)
    {
        var at = number * 32;
        int Value(int index) => BinaryPrimitives.ReadInt16LittleEndian(attributes.AsSpan(at + 6 + (index * 8)));
        return new VideoTransform(Value(0), Value(1), Value(2), Value(3));
    }

    private int[] TilesOf(int first, int bits, int width, int height)
    {
        const int First = SpriteTiles / SpriteUnit, MaxUnits = 1024, UnitsInARow = 32;
        var (columns, rows, step, isLinear) = (width / TileSize, height / TileSize, bits == 8 ? 2 : 1, (Control & 0x40) != 0);
        first = bits == 8 && !isLinear ? first & ~1 : first;
        var tiles = new int[columns * rows];
        for (var tile = 0; tile < tiles.Length; tile++)
        {
            // without linear mapping video memory is a square of 32 by 32 tiles, which wraps on each side
            var unit = isLinear
                ? first + (tile * step)
                : (first & ~(UnitsInARow - 1)) + (tile / columns * UnitsInARow) + ((first + (tile % columns * step)) & (UnitsInARow - 1));
            tiles[tile] = First + (unit & (MaxUnits - 1));
        }

        return tiles;
    }
}
