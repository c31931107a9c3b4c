using System.Buffers;
using System.Globalization;
using System.Net;
using System.Text.Json;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Engines.Video;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Video;

/// <summary>Random contents of video memory: what is composed of the decoded backgrounds and sprites is what the emulator shows.</summary>
public sealed class VideoSceneTests
{
    private const string Holder = "painter";
    private const int Piece = 0x4000;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public async Task Scene_OfTheGba_IsWhatTheScreenShows(int mode)
    {
        await using var play = await Play.StartAsync();
        await LeaseAsync(play);
        for (var seed = 1; seed <= 6; seed++)
        {
            var random = new Random((mode * 100) + seed);
            await WriteAsync(play, 0x05000000, Bytes(random, GbaVideo.PaletteSize));
            await WriteAsync(play, 0x06000000, Bytes(random, GbaVideo.VideoSize));
            await WriteAsync(play, 0x07000000, GbaSprites(random));
            await WriteAsync(play, 0x04000008, GbaRegisters(random));

            // all backgrounds and sprites, without windows
            var control = 0x1F00 | mode | (random.Next(2) << 4) | (random.Next(2) << 6);
            await WriteAsync(play, 0x04000000, [(byte)control, (byte)(control >> 8)]);
            await CompareAsync(play, $"mode {mode}, seed {seed}");
        }
    }

    [Fact]
    public async Task Scene_OfTheGameBoy_IsWhatTheScreenShows()
    {
        await using var play = await Play.StartGameBoyAsync();
        await LeaseAsync(play);
        for (var seed = 1; seed <= 12; seed++)
        {
            var random = new Random(seed);
            await WriteAsync(play, 0x8000, Bytes(random, 0x2000));
            var sprites = new byte[160];
            for (var sprite = 0; sprite < 8; sprite++)
            {
                byte[] one = [(byte)random.Next(160), (byte)random.Next(168), (byte)random.Next(256), (byte)(random.Next(8) << 4)];
                one.CopyTo(sprites, sprite * 4);
            }

            await WriteAsync(play, 0xFE00, sprites);

            // SCY SCX, BGP OBP0 OBP1 WY WX; then what is shown: all, with either of each choice
            await WriteAsync(play, 0xFF42, Bytes(random, 2));
            await WriteAsync(play, 0xFF47, [.. Bytes(random, 3), (byte)random.Next(200), (byte)random.Next(7, 200)]);
            await WriteAsync(play, 0xFF40, [(byte)(0xA3 | (random.Next(256) & 0x5C))]);
            await CompareAsync(play, $"seed {seed}");
        }
    }

    private static async Task CompareAsync(Play play, string scene)
    {
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":2}""", Holder);
        var (video, failure) = await VideoReader.ReadAsync(play.Gateway.Emulators.First, TestContext.Current.CancellationToken);
        Assert.Null(failure);
        Assert.True(PngFile.TryRead(await play.Client.GetByteArrayAsync("/v2/screen", TestContext.Current.CancellationToken), out var shown));
        using var picture = shown;
        var rgb = picture.Rgb.ToArray();
        var composed = Compose(video!);
        for (var pixel = 0; pixel < composed.Width * composed.Height; pixel++)
        {
            var (x, y) = (pixel % composed.Width, pixel / composed.Width);
            var expected = $"#{rgb[pixel * 3]:X2}{rgb[(pixel * 3) + 1]:X2}{rgb[(pixel * 3) + 2]:X2}";
            var found = VideoColor.Text(composed[x, y]);
            if (found != expected)
            {
                Assert.Fail($"{scene}: at {x},{y} the screen shows {expected}, the scene has {found}");
            }
        }
    }

    private static VideoPicture Compose(VideoFrame video)
    {
        var screen = new VideoPicture(video.ScreenWidth, video.ScreenHeight);
        for (var pixel = 0; pixel < screen.Width * screen.Height; pixel++)
        {
            screen[pixel % screen.Width, pixel / screen.Width] = video.Palettes[0].Colors[0];
        }

        // what is in front comes last: of the same priority, the lower number; the window of a Game Boy is in front of its background
        IEnumerable<VideoMap> maps = video.Platform == "gb" ? video.Maps : video.Maps.OrderByDescending(map => map.Priority).ThenByDescending(map => map.Number);
        foreach (var map in maps.Where(map => map.IsEnabled && map.Kind != VideoMapKind.None))
        {
            Draw(screen, VideoPainter.Screen(video, map));
        }

        Draw(screen, VideoPainter.Sprites(video));
        return screen;
    }

    private static void Draw(VideoPicture screen, VideoPicture layer)
    {
        for (var y = 0; y < screen.Height; y++)
        {
            for (var x = 0; x < screen.Width; x++)
            {
                screen.Draw(x, y, layer[x, y] == 0 ? null : layer[x, y]);
            }
        }
    }

    /// <summary>A few sprites of each kind, all in front; with more the hardware has no time for all of a line.</summary>
    private static byte[] GbaSprites(Random random)
    {
        var bytes = Bytes(random, GbaVideo.SpriteSize);
        for (var sprite = 0; sprite < 128; sprite++)
        {
            // normal mode, no mosaic, a shape that exists, and a small one for most
            var isAffine = sprite % 2 == 1;
            var shown = sprite < 8;
            bytes[(sprite * 8) + 1] = (byte)(shown ? (isAffine ? 1 | (random.Next(2) << 1) : 0) | (random.Next(2) << 5) | (random.Next(3) << 6) : 2);
            bytes[(sprite * 8) + 5] &= 0xF3;
        }

        return bytes;
    }

    /// <summary>The registers of the backgrounds from BG0CNT to BG3Y, without mosaic, with tiles that end before those of the sprites, and with small
    /// transformations.</summary>
    private static byte[] GbaRegisters(Random random)
    {
        var registers = Bytes(random, 0x38);
        for (var map = 0; map < 4; map++)
        {
            registers[map * 2] &= (registers[map * 2] & 0x80) != 0 ? (byte)0xB3 : (byte)0xBB;
        }

        foreach (var at in (int[])[0x18, 0x28])
        {
            for (var number = 0; number < 4; number++)
            {
                BitConverter.TryWriteBytes(registers.AsSpan(at + (number * 2)), (short)random.Next(-512, 513));
            }

            BitConverter.TryWriteBytes(registers.AsSpan(at + 8), random.Next(-20000, 60000));
            BitConverter.TryWriteBytes(registers.AsSpan(at + 12), random.Next(-20000, 60000));
        }

        return registers;
    }

    private static byte[] Bytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private static Task<JsonElement> LeaseAsync(Play play) => play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);

    private static async Task WriteAsync(Play play, long address, byte[] bytes)
    {
        for (var at = 0; at < bytes.Length; at += Piece)
        {
            var piece = bytes.AsSpan(at, Math.Min(Piece, bytes.Length - at)).ToArray();
            using var response = await play.RawAsync(HttpMethod.Put, string.Create(CultureInfo.InvariantCulture, $"/v2/memory/0x{address + at:X8}"), Play.Bytes(piece), Holder);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        }
    }
}
