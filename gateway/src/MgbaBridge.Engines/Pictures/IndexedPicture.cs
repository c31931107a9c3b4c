using System.Buffers;
using System.IO.Compression;
using System.Numerics;
using MgbaBridge.Client.Buffers;

namespace MgbaBridge.Engines.Pictures;

/// <summary>Pixels as colours of a palette, for PNG files that are as small as a game's few colours allow.</summary>
public sealed class IndexedPicture
{
    private const int MaxColours = 256;

    private readonly byte[] _pixels;
    private readonly byte[] _palette;

    private IndexedPicture(int width, int height, byte[] pixels, byte[] palette) => (Width, Height, _pixels, _palette) = (width, height, pixels, palette);

    /// <summary>Pixels in a row.</summary>
    public int Width { get; }

    /// <summary>Rows.</summary>
    public int Height { get; }

    /// <summary>How many colours the palette has.</summary>
    public int Colours => _palette.Length / Picture.PixelSize;

    /// <summary>The picture of a screenshot; null when it is not one of an emulator.</summary>
    public static IndexedPicture? Of(ReadOnlySpan<byte> png)
    {
        if (!PngFile.TryRead(png, out var pixels))
        {
            return null;
        }

        using (pixels)
        {
            return Of(pixels);
        }
    }

    /// <summary>The same pixels by their palette. A picture of more than 256 colours loses the lowest bits of each until it has no more.</summary>
    public static IndexedPicture Of(Picture picture)
    {
        var rgb = picture.Rgb.ToArray();
        for (var lostBits = 0; ; lostBits++)
        {
            if (TryIndex(picture, rgb, (byte)(0xFF << lostBits)) is { } indexed)
            {
                return indexed;
            }
        }
    }

    /// <summary>The smallest rectangle with all pixels that differ from those of <paramref name="before"/>. Null when none does; the whole picture
    /// when the sizes differ.</summary>
    public PictureRegion? Difference(IndexedPicture before)
    {
        if (before.Width != Width || before.Height != Height)
        {
            return new PictureRegion(0, 0, Width, Height);
        }

        var (left, top, right, bottom) = (Width, Height, -1, -1);
        for (var y = 0; y < Height; y++)
        {
            for (var x = 0; x < Width; x++)
            {
                if (!ColourAt(x, y).SequenceEqual(before.ColourAt(x, y)))
                {
                    (left, top, right, bottom) = (Math.Min(left, x), Math.Min(top, y), Math.Max(right, x), y);
                }
            }
        }

        return right < 0 ? null : new PictureRegion(left, top, right - left + 1, bottom - top + 1);
    }

    /// <summary>Writes a region as PNG, each pixel as a square of <paramref name="scale"/> by <paramref name="scale"/>.</summary>
    public void Write(PictureRegion region, int scale, Stream output)
    {
        var depth = Colours <= 2 ? 1 : Colours <= 4 ? 2 : Colours <= 16 ? 4 : 8;
        using var packed = StreamPool.Rent("indexed pixels");
        using (var deflate = new ZLibStream(packed, CompressionLevel.Optimal, leaveOpen: true))
        {
            WriteRows(region, scale, depth, deflate);
        }

        PngFile.Write(output, region.Width * scale, region.Height * scale, depth, PngColorType.Palette, _palette, packed);
    }

    private static IndexedPicture? TryIndex(Picture picture, ReadOnlySpan<byte> rgb, byte mask)
    {
        var known = new Dictionary<int, byte>(MaxColours);
        var pixels = new byte[picture.Width * picture.Height];
        for (var pixel = 0; pixel < pixels.Length; pixel++)
        {
            var at = pixel * Picture.PixelSize;
            var colour = ((rgb[at] & mask) << 16) | ((rgb[at + 1] & mask) << 8) | (rgb[at + 2] & mask);
            if (!known.TryGetValue(colour, out var index))
            {
                if (known.Count == MaxColours)
                {
                    return null;
                }

                index = (byte)known.Count;
                known.Add(colour, index);
            }

            pixels[pixel] = index;
        }

        var palette = new byte[known.Count * Picture.PixelSize];
        foreach (var (colour, index) in known)
        {
            var at = index * Picture.PixelSize;
            (palette[at], palette[at + 1], palette[at + 2]) = ((byte)(colour >> 16), (byte)(colour >> 8), (byte)colour);
        }

        return new IndexedPicture(picture.Width, picture.Height, pixels, palette);
    }

    private ReadOnlySpan<byte> ColourAt(int x, int y) => _palette.AsSpan(_pixels[(y * Width) + x] * Picture.PixelSize, Picture.PixelSize);

    private void WriteRows(PictureRegion region, int scale, int depth, Stream output)
    {
        var perByte = BitOperations.Log2(8u / (uint)depth);
        var row = new byte[1 + (((region.Width * scale * depth) + 7) / 8)];
        for (var y = region.Y; y < region.Y + region.Height; y++)
        {
            row.AsSpan().Clear();
            for (var x = 0; x < region.Width * scale; x++)
            {
                var index = _pixels[(y * Width) + region.X + (x / scale)];
                var place = x & ((1 << perByte) - 1);
                row[1 + (x >> perByte)] |= (byte)(index << (8 - depth - (place * depth)));
            }

            for (var copy = 0; copy < scale; copy++)
            {
                output.Write(row);
            }
        }
    }
}

/// <summary>A rectangle of a picture, in pixels of the game.</summary>
/// <param name="X">Its left edge.</param>
/// <param name="Y">Its top edge.</param>
/// <param name="Width">Pixels in a row.</param>
/// <param name="Height">Rows.</param>
public readonly record struct PictureRegion(int X, int Y, int Width, int Height);
