using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
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
