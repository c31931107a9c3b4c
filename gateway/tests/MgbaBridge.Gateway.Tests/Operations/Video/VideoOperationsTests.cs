using System.Buffers.Binary;
using System.IO.Compression;
using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Video;

public sealed class VideoOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const string Holder = "painter";

    [Fact]
    public async Task Text_OfTilesThatAreLetters_IsReadAsTheScreenShowsIt()
    {
        await using var play = await Play.StartAsync();
        var without = await play.SendAsync(HttpMethod.Get, "/v2/video/text", status: HttpStatusCode.NotFound);
        Assert.Equal("properties.load", without.GetProperty("next").GetString());
        await play.SendAsync(HttpMethod.Put, "/v2/properties", """{"textTables":{"glyphs":{"codes":{"05":"H","06":"i"}}},"properties":{}}""");
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);

        // mode 0 with BG1: tiles at 0x06004000, cells at 0x0600F000; row 2 of the screen says "Hi Hi"
        await WriteAsync(play, "0x0600F000", new byte[2_048]);
        await WriteAsync(play, "0x0600F088", [5, 0, 6, 0, 0, 0, 5, 0, 6, 0]);
        await WriteAsync(play, "0x0400000A", [0x04, 0x1E]);
        await WriteAsync(play, "0x04000014", [0, 0, 0, 0]);
        await WriteAsync(play, "0x04000000", [0x40, 0x02]);
        Assert.Equal("""["Hi Hi"]""", (await play.GetAsync("/v2/video/text")).GetProperty("lines").GetRawText());
    }

    [Fact]
    public async Task Video_OfTheGba_IsWhatWasWritten()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", Holder);

        // background palette 2: red at 1; sprite palette 3: blue at 15; tile 5 has a pixel of 1 at 1,0; sprite tile 2 is all 15
        await WriteAsync(play, "0x05000042", [0x1F, 0x00]);
        await WriteAsync(play, "0x0500027E", [0x00, 0x7C]);
        await WriteAsync(play, "0x060000A0", [0x10, 0, 0, 0]);
        await WriteAsync(play, "0x06010040", [.. Enumerable.Repeat((byte)0xFF, 32)]);

        // BG1: tiles at 0x06000000, cells at 0x0600F000, 512 by 256, priority 2, scrolled by 3 and 4; its cell 33,1 is tile 5 mirrored left to right
        await WriteAsync(play, "0x0600F842", [0x05, 0x24]);
        await WriteAsync(play, "0x0400000A", [0x02, 0x5E]);
        await WriteAsync(play, "0x04000014", [3, 0, 4, 0]);

        // sprite 1: at -8,150, 8 by 8, tile 2, palette 3, priority 1; sprite 2: 32 by 16, affine, twice its size; the others are hidden
        await WriteAsync(play, "0x07000000", [.. Enumerable.Repeat((byte[])[0, 2, 0, 0, 0, 0, 0, 1], 128).SelectMany(bytes => bytes)]);
        await WriteAsync(play, "0x07000008", [150, 0x00, 0xF8, 0x01, 0x02, 0x34, 0x00, 0x01]);
        await WriteAsync(play, "0x07000010", [10, 0x43, 20, 0x80, 0x00, 0x00, 0x00, 0x01]);
        await WriteAsync(play, "0x04000000", [0x40, 0x12]);

        var palettes = await play.GetAsync("/v2/video/palettes");
        Assert.Equal(("gba", 32), (palettes.GetProperty("platform").GetString(), palettes.GetProperty("palettes").GetArrayLength()));
        Assert.Equal("#FF0000", palettes.GetProperty("palettes")[2].GetProperty("colors")[1].GetString());
        Assert.Equal("#0000FF", palettes.GetProperty("palettes")[19].GetProperty("colors")[15].GetString());
        Assert.True(palettes.GetProperty("palettes")[19].GetProperty("sprites").GetBoolean());

        var tiles = await play.GetAsync("/v2/video/tiles?first=5&count=2");
        var pixels = tiles.GetProperty("pixels").GetBytesFromBase64();
        Assert.Equal((128, 1, 4), (pixels.Length, pixels[1], tiles.GetProperty("bits").GetInt32()));
        Assert.Equal(3072, (await play.GetAsync("/v2/video/tiles")).GetProperty("count").GetInt32());
        Assert.Equal(1536, (await play.GetAsync("/v2/video/tiles?bits=8")).GetProperty("count").GetInt32());

        var maps = await play.GetAsync("/v2/video/maps");
        Assert.Equal((0, true, 4), (maps.GetProperty("mode").GetInt32(), maps.GetProperty("on").GetBoolean(), maps.GetProperty("maps").GetArrayLength()));
        var map = await play.GetAsync("/v2/video/maps/1");
        var facts = map.GetProperty("map");
        Assert.Equal("""{"number":1,"kind":"text","enabled":true,"width":512,"height":256,"bits":4,"priority":2,"x":3,"y":4,"wraps":true,"mosaic":false,"tileBase":"0x06000000","mapBase":"0x0600F000"}""", facts.GetRawText());
        Assert.Equal((64, 32), (map.GetProperty("columns").GetInt32(), map.GetProperty("rows").GetInt32()));
        const int Cell = 64 + 33;
        Assert.Equal((5, 2, 1), (map.GetProperty("tiles")[Cell].GetInt32(), map.GetProperty("palettes")[Cell].GetInt32(), map.GetProperty("flips")[Cell].GetInt32()));

        var sprites = (await play.GetAsync("/v2/video/sprites")).GetProperty("sprites");
        Assert.Equal((128, "hidden"), (sprites.GetArrayLength(), sprites[0].GetProperty("mode").GetString()));
        Assert.Equal(
            """{"number":1,"onScreen":false,"mode":"normal","x":-8,"y":150,"width":8,"height":8,"tile":2050,"bits":4,"palette":19,"priority":1,"flipX":false,"flipY":false,"mosaic":false,"doubleSize":false}""",
            sprites[1].GetRawText());
        Assert.Equal(
            """{"number":2,"onScreen":true,"mode":"normal","x":20,"y":10,"width":32,"height":16,"tile":2048,"bits":4,"palette":16,"priority":0,"flipX":false,"flipY":false,"mosaic":false,"doubleSize":true,"transform":{"a":256,"b":256,"c":256,"d":256}}""",
            sprites[2].GetRawText());

        // pictures: the mirrored tile of the map, the colours, the sprite, the tiles
        var whole = await PictureAsync(play, "/v2/video/maps/1/picture");
        Assert.Equal((512, 256, 0xFF0000FFu), (whole.Width, whole.Height, whole[(33 * 8) + 6, 8]));
        Assert.Equal(0u, whole[(33 * 8) + 7, 8]);
        var shown = await PictureAsync(play, "/v2/video/maps/1/picture?part=screen&scale=2");
        Assert.Equal((480, 320), (shown.Width, shown.Height));
        var colors = await PictureAsync(play, "/v2/video/palettes/picture");
        Assert.Equal((128, 256, 0xFF0000FFu, 0xFFFF0000u), (colors.Width, colors.Height, colors[8, 16], colors[127, (19 * 8) + 7]));
        var sprite = await PictureAsync(play, "/v2/video/sprites/1/picture");
        Assert.Equal((8, 8, 0xFFFF0000u), (sprite.Width, sprite.Height, sprite[7, 7]));
        var sheet = await PictureAsync(play, "/v2/video/tiles/picture?first=2048&count=40&palette=19&columns=16");
        Assert.Equal((128, 24, 0xFFFF0000u), (sheet.Width, sheet.Height, sheet[16, 0]));
        Assert.Equal((240, 160), ((await PictureAsync(play, "/v2/video/sprites/picture")).Width, (await PictureAsync(play, "/v2/video/sprites/picture")).Height));
    }

    [Fact]
    public async Task Video_OfTheGameBoy_HasItsTilesMapsAndSprites()
    {
        await using var play = await Play.StartGameBoyAsync();
        var palettes = await play.GetAsync("/v2/video/palettes");
        Assert.Equal([0, 8, 9], palettes.GetProperty("palettes").EnumerateArray().Select(palette => palette.GetProperty("number").GetInt32()));
        var map = await play.GetAsync("/v2/video/maps/0");
        Assert.Equal((32, "0x00009800"), (map.GetProperty("columns").GetInt32(), map.GetProperty("map").GetProperty("mapBase").GetString()));
        Assert.Equal(3, map.GetProperty("tiles")[0].GetInt32()); // a corner of the screen
        Assert.Equal("window", (await play.GetAsync("/v2/video/maps/1")).GetProperty("map").GetProperty("kind").GetString());
        var box = (await play.GetAsync("/v2/video/sprites")).GetProperty("sprites")[0];
        Assert.Equal((8, 8, 2), (box.GetProperty("width").GetInt32(), box.GetProperty("height").GetInt32(), box.GetProperty("tile").GetInt32()));
        var tiles = await play.GetAsync("/v2/video/tiles");
        Assert.Equal((2, 384), (tiles.GetProperty("bits").GetInt32(), tiles.GetProperty("count").GetInt32()));
        Assert.All(tiles.GetProperty("pixels").GetBytesFromBase64().AsSpan(3 * 64, 64).ToArray(), pixel => Assert.Equal(3, pixel));
        Assert.Equal((160, 144), await SizeAsync(play, "/v2/video/maps/0/picture?part=screen"));
        Assert.Equal((256, 256), await SizeAsync(play, "/v2/video/maps/1/picture"));
        Assert.Equal((32, 24), await SizeAsync(play, "/v2/video/palettes/picture"));
        await play.SendAsync(HttpMethod.Get, "/v2/video/maps/2", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Get, "/v2/video/sprites/40/picture", status: HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("/v2/video/maps/4", 404)]
    [InlineData("/v2/video/maps/x", 400)]
    [InlineData("/v2/video/maps/0/picture", 404)]
    [InlineData("/v2/video/maps/2/picture?part=half", 400)]
    [InlineData("/v2/video/sprites/128/picture", 404)]
    [InlineData("/v2/video/tiles?bits=2", 400)]
    [InlineData("/v2/video/tiles?first=3072", 400)]
    [InlineData("/v2/video/tiles?first=3000&count=73", 400)]
    [InlineData("/v2/video/tiles?first=-1", 400)]
    [InlineData("/v2/video/tiles?count=0", 400)]
    [InlineData("/v2/video/tiles/picture?palette=32", 400)]
    [InlineData("/v2/video/tiles/picture?columns=65", 400)]
    [InlineData("/v2/video/tiles/picture?columns=0", 400)]
    [InlineData("/v2/video/tiles/picture?scale=9", 400)]
    [InlineData("/v2/video/tiles/picture?columns=64&scale=8", 400)]
    public async Task Video_ThatIsNotThere_IsRefused(string path, int status)
    {
        // the test game has video mode 3: only background 2
        var play = await shared.PlayAsync();
        await play.SendAsync(HttpMethod.Get, path, status: (HttpStatusCode)status);
    }

    [Fact]
    public async Task Video_OverAWebSocket_IsTheSame()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        Assert.Equal(1, (await socket.DoAsync("video.tiles", """{"first":3,"count":1}""")).GetProperty("count").GetInt32());
        var map = (await socket.DoAsync("video.map", """{"map":2}""")).GetProperty("map");
        Assert.Equal(("bitmap", 240, 16), (map.GetProperty("kind").GetString(), map.GetProperty("width").GetInt32(), map.GetProperty("bits").GetInt32()));
        Assert.Equal(3, (await socket.DoAsync("video.maps")).GetProperty("mode").GetInt32());
    }

    private static async Task<(int Width, int Height)> SizeAsync(Play play, string path)
    {
        var picture = await PictureAsync(play, path);
        return (picture.Width, picture.Height);
    }

    private static async Task<Pixels> PictureAsync(Play play, string path)
    {
        using var response = await play.RawAsync(HttpMethod.Get, path);
        var file = await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.True(response.StatusCode == HttpStatusCode.OK, $"{path}: {System.Text.Encoding.UTF8.GetString(file)}");
        Assert.Equal("image/png", response.Content.Headers.ContentType?.MediaType);
        Assert.NotEmpty(response.Headers.GetValues("Mgba-Frame"));
        return Pixels.Read(file);
    }

    private static async Task WriteAsync(Play play, string location, byte[] bytes)
    {
        using var response = await play.RawAsync(HttpMethod.Put, $"/v2/memory/{location}", Play.Bytes(bytes), Holder);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    /// <summary>A PNG with alpha as the gateway writes it: one chunk of pixels, rows without filters.</summary>
    private sealed record Pixels(int Width, int Height, byte[] Rows)
    {
        public uint this[int x, int y] => BinaryPrimitives.ReadUInt32LittleEndian(Rows.AsSpan((y * ((Width * 4) + 1)) + 1 + (x * 4)));

        public static Pixels Read(ReadOnlySpan<byte> file)
        {
            Assert.Equal((byte[])[8, 6], file[24..26].ToArray());
            var (width, height, length) = (BinaryPrimitives.ReadInt32BigEndian(file[16..]), BinaryPrimitives.ReadInt32BigEndian(file[20..]), BinaryPrimitives.ReadInt32BigEndian(file[33..]));
            using var inflate = new ZLibStream(new MemoryStream(file.Slice(41, length).ToArray()), CompressionMode.Decompress);
            using var rows = new MemoryStream();
            inflate.CopyTo(rows);
            Assert.Equal(((width * 4) + 1) * height, rows.Length);
            return new Pixels(width, height, rows.ToArray());
        }
    }
}
