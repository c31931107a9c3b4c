using System.Buffers.Binary;

namespace MgbaBridge.Engines.Video;

/// <summary>The video memory of a Game Boy or Game Boy Color, from a save state: only states have the colours of its palettes.</summary>
public sealed class GbVideo : VideoFrame
{
    /// <summary>Bytes of a state of this console without extra data.</summary>
    public const int StateSize = 0x11800;

    private const int ModelAt = 0x8;
    private const int PaletteAt = 0xD4;
    private const int SpritesAt = 0x260;
    private const int RegistersAt = 0x300;
    private const int VideoAt = 0x400;
    private const int BankSize = 0x2000;
    private const int BankTiles = 384;
    private const int TileBytes = 16;
    private const int MapCells = 32;
    private const int SpriteCount = 40;
    private const int ColorModel = 0x80;

    private readonly byte[] _video;
    private readonly byte[] _registers;
    private readonly uint[] _colors = new uint[64];

    /// <summary>Decodes it.</summary>
    /// <param name="state">The state, raw.</param>
    public GbVideo(ReadOnlySpan<byte> state)
    {
        IsColor = (state[ModelAt] & ColorModel) != 0;
        _video = state.Slice(VideoAt, 2 * BankSize).ToArray();
        _registers = state.Slice(RegistersAt, 0x80).ToArray();
        for (var color = 0; color < _colors.Length; color++)
        {
            _colors[color] = VideoColor.Of(BinaryPrimitives.ReadUInt16LittleEndian(state[(PaletteAt + (color * 2))..]));
        }

        int[] numbers = IsColor ? [.. Enumerable.Range(0, 16)] : [0, 8, 9];
        Palettes = [.. numbers.Select(number => new VideoPalette(number, number >= 8, _colors.AsSpan(number * 4, 4).ToArray()))];
        Maps = [MapOf(0, VideoMapKind.Text, 0x08, 0x43, 0x42), MapOf(1, VideoMapKind.Window, 0x40, 0x4B, 0x4A)];
        var sprites = state.Slice(SpritesAt, SpriteCount * 4).ToArray();
        Sprites = [.. Enumerable.Range(0, SpriteCount).Select(number => SpriteOf(sprites.AsSpan(number * 4, 4), number))];
    }

    /// <summary>Whether it is a Game Boy Color.</summary>
    public bool IsColor { get; }

    public override int ScreenWidth => 160;

    public override int ScreenHeight => 144;

    public override string Platform => "gb";

    public override bool IsOn => (Control & 0x80) != 0;

    public override IReadOnlyList<VideoPalette> Palettes { get; }

    public override IReadOnlyList<int> TileBits { get; } = [2];

    public override IReadOnlyList<VideoMap> Maps { get; }

    public override IReadOnlyList<VideoSprite> Sprites { get; }

    private int Control => _registers[0x40];

    public override int TileCount(int bits) => IsColor ? 2 * BankTiles : BankTiles;

    public override void ReadTile(int tile, int bits, Span<byte> pixels)
    {
        if (tile < 0 || tile >= TileCount(bits))
        {
            pixels[..TilePixels].Clear();
            return;
        }

        var bytes = _video.AsSpan((tile / BankTiles * BankSize) + (tile % BankTiles * TileBytes), TileBytes);
        for (var pixel = 0; pixel < TilePixels; pixel++)
        {
            var (row, bit) = (pixel / TileSize * 2, 7 - (pixel % TileSize));
            pixels[pixel] = (byte)((bytes[row] >> bit & 1) | ((bytes[row + 1] >> bit & 1) << 1));
        }
    }

    public override uint? ColorOf(int palette, int bits, int value) => palette >= 8 && value == 0 ? null : _colors[(palette * 4) + value];

    private VideoMap MapOf(int number, VideoMapKind kind, int selects, int x, int y)
    {
        var (area, isSigned) = ((Control & selects) != 0 ? 0x1C00 : 0x1800, (Control & 0x10) == 0);
        var cells = new VideoCell[MapCells * MapCells];
        for (var cell = 0; cell < cells.Length; cell++)
        {
            int tile = _video[area + cell];
            var attributes = IsColor ? _video[BankSize + area + cell] : 0;
            tile = isSigned ? 256 + (sbyte)tile : tile;
            cells[cell] = new VideoCell(
                tile + ((attributes & 8) != 0 ? BankTiles : 0), attributes & 7, (attributes & 0x20) != 0, (attributes & 0x40) != 0, (attributes & 0x80) != 0);
        }

        var isWindow = kind == VideoMapKind.Window;
        return new VideoMap
        {
            Number = number,
            Kind = kind,

            // without colours, bit 0 switches off both
            IsEnabled = (!isWindow || (Control & 0x20) != 0) && (IsColor || (Control & 1) != 0),
            Width = MapCells * TileSize,
            Height = MapCells * TileSize,
            Bits = 2,
            X = isWindow ? _registers[x] - 7 : _registers[x],
            Y = _registers[y],
            Wraps = !isWindow,
            TileBase = isSigned ? 0x8800 : 0x8000,
            MapBase = 0x8000 + area,
            Cells = cells,
        };
    }

    private VideoSprite SpriteOf(ReadOnlySpan<byte> bytes, int number)
    {
        var (isTall, attributes) = ((Control & 4) != 0, bytes[3]);
        var bank = IsColor && (attributes & 8) != 0 ? BankTiles : 0;
        var tile = bank + (isTall ? bytes[2] & ~1 : bytes[2]);
        return new VideoSprite
        {
            Number = number,
            X = bytes[1] - 8,
            Y = bytes[0] - 16,
            Width = TileSize,
            Height = isTall ? 2 * TileSize : TileSize,
            Tile = tile,
            Tiles = isTall ? [tile, tile + 1] : [tile],
            Bits = 2,
            Palette = 8 + (IsColor ? attributes & 7 : attributes >> 4 & 1),
            Priority = attributes >> 7,
            FlipX = (attributes & 0x20) != 0,
            FlipY = (attributes & 0x40) != 0,
            Mode = (Control & 2) != 0 ? VideoSpriteMode.Normal : VideoSpriteMode.Hidden,
        };
    }
}
