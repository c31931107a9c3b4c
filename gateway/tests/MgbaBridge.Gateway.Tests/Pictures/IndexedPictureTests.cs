using System.Buffers.Binary;
using System.IO.Compression;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Tests.Pictures;

public sealed class IndexedPictureTests
{
    [Theory]
    [InlineData(2, 1)]
    [InlineData(3, 2)]
    [InlineData(16, 4)]
    [InlineData(17, 8)]
    [InlineData(256, 8)]
    public void Write_OfSomeColours_HasTheFewestBitsAndTheSamePixels(int colours, int bits)
    {
        using var picture = Make(20, 13, (x, y) => ((y * 20) + x) % colours);
        var indexed = IndexedPicture.Of(picture);
        Assert.Equal(colours, indexed.Colours);
        for (var scale = 1; scale <= 4; scale++)
        {
            var (depth, pixels) = Read(indexed, new PictureRegion(3, 2, 10, 7), scale);
            Assert.Equal(bits, depth);
            for (var y = 0; y < 7 * scale; y++)
            {
                for (var x = 0; x < 10 * scale; x++)
                {
                    Assert.Equal(((((y / scale) + 2) * 20) + (x / scale) + 3) % colours, pixels[y][x]);
                }
            }
        }
    }

    [Fact]
    public void Of_MoreColoursThanAPaletteHas_LosesTheLowestBits()
    {
        using var picture = Make(40, 40, (x, y) => (y * 40) + x);
        Assert.InRange(IndexedPicture.Of(picture).Colours, 2, 256);
    }

    [Fact]
    public void Difference_OfTwoPictures_IsTheSmallestRectangle()
    {
        using var before = Make(20, 10, (_, _) => 0);
        using var after = Make(20, 10, (x, y) => (x, y) is (4, 3) or (9, 7) ? 1 : 0);
        using var other = Make(10, 10, (_, _) => 0);
        Assert.Equal(new PictureRegion(4, 3, 6, 5), IndexedPicture.Of(after).Difference(IndexedPicture.Of(before)));
        Assert.Null(IndexedPicture.Of(after).Difference(IndexedPicture.Of(after)));
        Assert.Equal(new PictureRegion(0, 0, 20, 10), IndexedPicture.Of(after).Difference(IndexedPicture.Of(other)));
    }

    private static Picture Make(int width, int height, Func<int, int, int> colour)
    {
        var picture = new Picture(width, height);
        for (var y = 0; y < height; y++)
        {
            for (var x = 0; x < width; x++)
            {
                var number = colour(x, y);
                picture.Add([(byte)number, (byte)(number >> 8), 0]);
            }
        }

        return picture;
    }

    // the depth, and the number of each pixel's colour as it was made
    private static (int Depth, int[][] Pixels) Read(IndexedPicture picture, PictureRegion region, int scale)
    {
        using var file = new MemoryStream();
        picture.Write(region, scale, file);
        var bytes = file.ToArray();
        Assert.Equal([0x89, (byte)'P', (byte)'N', (byte)'G'], bytes[..4]);
        var (depth, palette, packed) = (0, Array.Empty<byte>(), Array.Empty<byte>());
        for (var at = 8; at < bytes.Length; at += BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(at)) + 12)
        {
            var data = bytes.AsSpan(at + 8, BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(at))).ToArray();
            switch (System.Text.Encoding.ASCII.GetString(bytes, at + 4, 4))
            {
                case "IHDR": depth = data[8]; break;
                case "PLTE": palette = data; break;
                case "IDAT": packed = data; break;
            }
        }

        using var inflate = new ZLibStream(new MemoryStream(packed), CompressionMode.Decompress);
        var row = new byte[1 + (((region.Width * scale * depth) + 7) / 8)];
        var pixels = new int[region.Height * scale][];
        for (var y = 0; y < pixels.Length; y++)
        {
            inflate.ReadExactly(row);
            Assert.Equal(0, row[0]);
            pixels[y] = [.. Enumerable.Range(0, region.Width * scale).Select(x =>
            {
                var bit = x * depth;
                var index = (row[1 + (bit / 8)] >> (8 - depth - (bit % 8))) & ((1 << depth) - 1);
                return palette[index * 3] | (palette[(index * 3) + 1] << 8);
            })];
        }

        Assert.Equal(-1, inflate.ReadByte());
        return (depth, pixels);
    }
}
