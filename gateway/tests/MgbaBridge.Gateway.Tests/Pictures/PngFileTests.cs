using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;
using FsCheck;
using FsCheck.Fluent;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Tests.Pictures;

public sealed class PngFileTests
{
    [Fact]
    public void Pictures_Written_AreReadAsTheyWere() => Prop.ForAll(Any(), picture =>
    {
        Assert.True(PngFile.TryRead(Png(picture), out var again));
        return (again.Width, again.Height) == (picture.Width, picture.Height) && Bytes(again).SequenceEqual(Bytes(picture));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Pictures_OfEveryFilter_AreReadAsTheyWere() => Prop.ForAll(Any(), Gen.Choose(0, 4).ArrayOf(20).ToArbitrary(), Gen.Elements(3, 4).ToArbitrary(), (picture, filters, channels) =>
    {
        Assert.True(PngFile.TryRead(Filtered(picture, filters, channels), out var again));
        return Bytes(again).SequenceEqual(Bytes(picture));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Pictures_Damaged_AreRefusedOrRead() => Prop.ForAll(Any(), Gen.Choose(0, 2_000).ToArbitrary(), Gen.Choose(0, 255).ToArbitrary(), (picture, place, value) =>
    {
        var file = Png(picture);
        file[place % file.Length] = (byte)value;
        _ = PngFile.TryRead(file, out _);
        return !PngFile.TryRead(file.AsSpan(0, 8 + (place % 20)), out _);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Pictures_WithEveryOtherHeaderOfTheirPixels_AreRefused()
    {
        const int Flags = 42;
        var file = Png(PictureOf(2, 1, [1, 2, 3, 4, 5, 6]));
        var usual = file[Flags];
        Assert.All(Enumerable.Range(0, 256).Where(flags => flags % 31 != usual % 31 || (flags & 0x20) != 0), flags =>
        {
            file[Flags] = (byte)flags;
            Assert.False(PngFile.TryRead(file, out _));
        });
    }

    // a row with the levels 0, 85, 170 and 255; of one bit a pixel with two levels, four pixels each
    [Theory]
    [InlineData(0, 1, "0F")]
    [InlineData(0, 2, "1B")]
    [InlineData(0, 4, "05AF")]
    [InlineData(0, 8, "0055AAFF")]
    [InlineData(0, 16, "00005555AAAAFFFF")]
    [InlineData(2, 8, "000000555555AAAAAAFFFFFF")]
    [InlineData(2, 16, "000000000000555555555555AAAAAAAAAAAAFFFFFFFFFFFF")]
    [InlineData(3, 1, "0F")]
    [InlineData(3, 2, "1B")]
    [InlineData(3, 4, "0123")]
    [InlineData(3, 8, "00010203")]
    [InlineData(4, 8, "00805580AA80FF80")]
    [InlineData(4, 16, "0000800055558000AAAA8000FFFF8000")]
    [InlineData(6, 8, "0000008055555580AAAAAA80FFFFFF80")]
    [InlineData(6, 16, "00000000000080005555555555558000AAAAAAAAAAAA8000FFFFFFFFFFFF8000")]
    public void Pictures_OfEveryForm_AreRead(int type, int depth, string row)
    {
        byte[] levels = depth > 1 ? [0, 85, 170, 255] : [0, 0, 0, 0, .. Enumerable.Repeat((byte)(type == 3 ? 85 : 255), 4)];

        Assert.True(PngFile.TryRead(FileOf(levels.Length, 1, depth, type, [0, .. Convert.FromHexString(row)]), out var picture));

        Assert.Equal(levels.SelectMany(static level => new[] { level, level, level }), Bytes(picture));
    }

    [Theory]
    [InlineData(0, 3)]
    [InlineData(1, 8)]
    [InlineData(2, 4)]
    [InlineData(3, 16)]
    [InlineData(4, 4)]
    [InlineData(5, 8)]
    [InlineData(6, 2)]
    [InlineData(7, 8)]
    public void Pictures_OfNoForm_AreRefused(int type, int depth) => Assert.False(PngFile.TryRead(FileOf(1, 1, depth, type, new byte[9]), out _));

    [Fact]
    public void Pictures_WithAColourThatIsNotInThePalette_AreRefused() => Assert.False(PngFile.TryRead(FileOf(1, 1, 8, 3, [0, 4]), out _));

    [Fact]
    public void Pictures_Interlaced_AreRead() => Assert.All(Enumerable.Range(1, 9).SelectMany(static width => Enumerable.Range(1, 9).Select(height => (width, height))), static size =>
    {
        // the pass of each pixel: RFC 2083, section 2.6
        string[] passes = ["16462646", "77777777", "56565656", "77777777", "36463646", "77777777", "56565656", "77777777"];
        var pixels = Enumerable.Range(0, size.width * size.height).Select(pixel => (Level: (byte)(pixel + 1), Y: pixel / size.width, Pass: passes[pixel / size.width % 8][pixel % size.width % 8]));
        byte[] packed = [.. pixels.GroupBy(static pixel => (pixel.Pass, pixel.Y)).OrderBy(static row => row.Key).SelectMany(static row => row.Select(static pixel => pixel.Level).Prepend((byte)0))];

        Assert.True(PngFile.TryRead(FileOf(size.width, size.height, 8, 0, packed, interlaced: true), out var picture));

        Assert.Equal(Enumerable.Range(1, size.width * size.height).SelectMany(static level => Enumerable.Repeat((byte)level, 3)), Bytes(picture));
    });

    [Fact]
    public void State_InAPng_IsLeftOut()
    {
        var file = Png(PictureOf(2, 1, [1, 2, 3, 4, 5, 6]));
        byte[] state = [0, 0, 0, 3, .. "gbAs"u8, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0, 1, .. "gbAx"u8, 7, 0, 0, 0, 0];
        Assert.Equal(file, WithoutState([.. file[..33], .. state, .. file[33..]]));
        Assert.Null(WithoutState([.. file[..33], .. state[..14]]));
        Assert.Null(WithoutState(state));
    }

    [Fact]
    public void Scaled_ByThree_MakesSquares()
    {
        Assert.True(PngFile.TryRead(Png(PictureOf(2, 1, [1, 2, 3, 4, 5, 6]), scale: 3), out var picture));
        Assert.Equal((6, 3), (picture.Width, picture.Height));
        Assert.All(Enumerable.Range(0, 18), pixel => Assert.Equal(pixel % 6 < 3 ? 1 : 4, Bytes(picture)[pixel * 3]));
    }

    private static Picture PictureOf(int width, int height, byte[] rgb)
    {
        var picture = new Picture(width, height);
        picture.Add(rgb);
        return picture;
    }

    private static byte[] Bytes(Picture picture) => picture.Rgb.ToArray();

    private static byte[] Png(Picture picture, int scale = 1)
    {
        using var file = new MemoryStream();
        PngFile.Write(picture, scale, file);
        return file.ToArray();
    }

    // with a palette of four greys
    private static byte[] FileOf(int width, int height, int depth, int type, byte[] rows, bool interlaced = false)
    {
        using var packed = new MemoryStream();
        using (var deflate = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            deflate.Write(rows);
        }

        byte[] header = [0, 0, 0, (byte)width, 0, 0, 0, (byte)height, (byte)depth, (byte)type, 0, 0, (byte)(interlaced ? 1 : 0)];
        return [0x89, .. "PNG\r\n\u001A\n"u8, .. Chunk("IHDR", header), .. Chunk("PLTE", [0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255]), .. Chunk("IDAT", packed.ToArray())];

        static byte[] Chunk(string name, byte[] data) => [0, 0, 0, (byte)data.Length, .. Encoding.ASCII.GetBytes(name), .. data, 0, 0, 0, 0];
    }

    private static byte[]? WithoutState(byte[] state)
    {
        using var file = new MemoryStream();
        return PngFile.TryWriteWithoutState(state, file) ? file.ToArray() : null;
    }

    private static Arbitrary<Picture> Any() => (
        from width in Gen.Choose(1, 12)
        from height in Gen.Choose(1, 12)
        from bytes in Gen.Choose(0, 255).ArrayOf(width * height * 3)
        select PictureOf(width, height, [.. bytes.Select(part => (byte)part)])).ToArbitrary();

    // as an encoder does it that chooses a filter for each row: RFC 2083, section 6
    private static byte[] Filtered(Picture picture, int[] filters, int channels)
    {
        var rgb = Bytes(picture);
        var rows = Enumerable.Range(0, picture.Height).Select(y => Enumerable.Range(0, picture.Width * channels)
            .Select(at => at % channels == 3 ? (byte)0x80 : rgb[(((y * picture.Width) + (at / channels)) * 3) + (at % channels)]).ToArray()).ToArray();
        using var packed = new MemoryStream();
        using (var deflate = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            for (var y = 0; y < rows.Length; y++)
            {
                deflate.WriteByte((byte)filters[y % filters.Length]);
                for (var at = 0; at < rows[y].Length; at++)
                {
                    int left = at < channels ? 0 : rows[y][at - channels], above = y == 0 ? 0 : rows[y - 1][at], corner = y == 0 || at < channels ? 0 : rows[y - 1][at - channels];
                    deflate.WriteByte((byte)(rows[y][at] - (filters[y % filters.Length] switch { 1 => left, 2 => above, 3 => (left + above) / 2, 4 => Paeth(left, above, corner), _ => 0 })));
                }
            }
        }

        var file = Png(picture);
        file[25] = (byte)(channels == 4 ? 6 : 2);
        var length = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(length, (int)packed.Length);
        return [.. file[..33], .. length, .. "IDAT"u8, .. packed.ToArray(), 0, 0, 0, 0];
    }

    private static int Paeth(int a, int b, int c)
    {
        var p = a + b - c;
        return new[] { (Math.Abs(p - a), 0, a), (Math.Abs(p - b), 1, b), (Math.Abs(p - c), 2, c) }.Min().Item3;
    }
}
