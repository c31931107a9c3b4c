using System.Buffers.Binary;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Video;

namespace MgbaBridge.Gateway.Tests.Video;

/// <summary>What only a Game Boy Color has; the test game is one for the older console.</summary>
public sealed class GbVideoTests
{
    [Fact]
    public void State_OfAColorGame_HasPalettesBanksAndAttributes()
    {
        var state = new byte[GbVideo.StateSize];
        state[0x8] = 0x80; // the model
        state[0x340] = 0x91; // LCDC: on, tiles from 0x8000
        BinaryPrimitives.WriteUInt16LittleEndian(state.AsSpan(0xD4 + (((3 * 4) + 2) * 2)), 0x001F);
        BinaryPrimitives.WriteUInt16LittleEndian(state.AsSpan(0xD4 + (((9 * 4) + 1) * 2)), 0x7C00);

        // tile 7 of the second bank: its first pixel is 2
        state[0x400 + 0x2000 + (7 * 16) + 1] = 0x80;

        // cell 1: tile 7, with palette 3, the second bank, mirrored top to bottom, in front
        state[0x400 + 0x1801] = 7;
        state[0x400 + 0x2000 + 0x1801] = 0x80 | 0x40 | 8 | 3;

        // sprite 0: at 2,4, tile 7 of the second bank, palette 1, mirrored left to right
        ((byte[])[20, 10, 7, 0x20 | 8 | 1]).CopyTo(state, 0x260);
        var video = new GbVideo(state) { Frame = 1, Epoch = new Epoch(1) };
        Assert.Equal((16, 768, true), (video.Palettes.Count, video.TileCount(2), video.IsOn));
        Assert.Equal("#FF0000", VideoColor.Text(video.Palettes[3].Colors[2]));
        Assert.Equal(new VideoCell(391, 3, false, true, true), video.Maps[0].Cells[1]);
        var map = VideoPainter.Map(video, video.Maps[0]);
        Assert.Equal((0xFF0000FFu, 0xFF000000u), (map[8, 7], map[8, 0]));
        var sprite = video.Sprites[0];
        Assert.Equal((2, 4, 391, 9, true), (sprite.X, sprite.Y, sprite.Tile, sprite.Palette, sprite.FlipX));
        state[0x400 + 0x2000 + (7 * 16)] = 0x80;
        state[0x400 + 0x2000 + (7 * 16) + 1] = 0;
        video = new GbVideo(state) { Frame = 1, Epoch = new Epoch(1) };
        var picture = VideoPainter.Sprite(video, video.Sprites[0])!;
        Assert.Equal((0xFFFF0000u, 0u), (picture[7, 0], picture[0, 0]));
    }

    [Fact]
    public void State_WithSignedTiles_NumbersThemFromTheMiddle()
    {
        var state = new byte[GbVideo.StateSize];
        state[0x340] = 0x81;
        state[0x400 + 0x1800] = 0xFF;
        state[0x400 + 0x1801] = 0x7F;
        var cells = new GbVideo(state) { Frame = 1, Epoch = new Epoch(1) }.Maps[0].Cells;
        Assert.Equal((255, 383, 256), (cells[0].Tile, cells[1].Tile, cells[2].Tile));
    }
}
