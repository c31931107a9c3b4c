using System.Buffers.Binary;

namespace MgbaBridge.Engines.Pictures;

/// <summary>The form of a PNG's pixels, from its header.</summary>
/// <param name="Width">Pixels in a row.</param>
/// <param name="Height">Rows.</param>
/// <param name="Depth">Bits of a channel, or of an index of the palette: 1, 2, 4, 8 or 16.</param>
/// <param name="ColorType">What a pixel is.</param>
/// <param name="IsInterlaced">Whether the pixels are in seven passes.</param>
internal sealed record PngForm(int Width, int Height, int Depth, PngColorType ColorType, bool IsInterlaced)
{
    /// <summary>Bytes of a header.</summary>
    public const int HeaderSize = 13;

    /// <summary>Bits of a pixel.</summary>
    public int Bits => Depth * Channels;

    private int Channels => ColorType switch
    {
        PngColorType.Rgb => 3,
        PngColorType.RgbAndAlpha => 4,
        PngColorType.GreyAndAlpha => 2,
        _ => 1,
    };

    /// <summary>Reads a header.</summary>
    /// <exception cref="InvalidDataException">It is none, or that of a larger picture.</exception>
    public static PngForm Read(ReadOnlySpan<byte> header, int maxPixels)
    {
        if (header.Length != HeaderSize || header[10] != 0 || header[11] != 0 || header[12] > 1 || !IsDepthOf((PngColorType)header[9], header[8]))
        {
            throw new InvalidDataException("Its header is that of no known form.");
        }

        var (width, height) = (BinaryPrimitives.ReadInt32BigEndian(header), BinaryPrimitives.ReadInt32BigEndian(header[4..]));
        return width > 0 && height > 0 && (long)width * height <= maxPixels
            ? new PngForm(width, height, header[8], (PngColorType)header[9], header[12] == 1)
            : throw new InvalidDataException("It has no or too many pixels.");
    }

    /// <summary>The colours of a row's pixels.</summary>
    public void ToRgb(ReadOnlySpan<byte> row, Span<byte> rgb, ReadOnlySpan<byte> palette)
    {
        for (var (x, count) = (0, rgb.Length / Picture.PixelSize); x < count; x++)
        {
            var to = rgb.Slice(x * Picture.PixelSize, Picture.PixelSize);
            switch (ColorType)
            {
                case PngColorType.Rgb or PngColorType.RgbAndAlpha when Depth == 8:
                    row.Slice(x * Channels, Picture.PixelSize).CopyTo(to);
                    break;
                case PngColorType.Rgb or PngColorType.RgbAndAlpha:
                    (to[0], to[1], to[2]) = (Level(row, x * Channels), Level(row, (x * Channels) + 1), Level(row, (x * Channels) + 2));
                    break;
                case PngColorType.Palette:
                    var at = Sample(row, x) * Picture.PixelSize;
                    (at + Picture.PixelSize <= palette.Length ? palette.Slice(at, Picture.PixelSize) : throw new InvalidDataException("A colour is not in the palette.")).CopyTo(to);
                    break;
                default:
                    to.Fill(Level(row, x * Channels));
                    break;
            }
        }
    }

    private static bool IsDepthOf(PngColorType type, int depth) => type switch
    {
        PngColorType.Grey => depth is 1 or 2 or 4 or 8 or 16,
        PngColorType.Palette => depth is 1 or 2 or 4 or 8,
        PngColorType.Rgb or PngColorType.GreyAndAlpha or PngColorType.RgbAndAlpha => depth is 8 or 16,
        _ => false,
    };

    // as one of 256 levels
    private byte Level(ReadOnlySpan<byte> row, int index)
    {
        var greatest = (1 << Depth) - 1;
        return (byte)(((Sample(row, index) * 255) + (greatest / 2)) / greatest);
    }

    private int Sample(ReadOnlySpan<byte> row, int index) => Depth switch
    {
        16 => BinaryPrimitives.ReadUInt16BigEndian(row[(index * 2)..]),
        8 => row[index],
        _ => (row[index * Depth / 8] >> (8 - Depth - (index * Depth % 8))) & ((1 << Depth) - 1),
    };
}

/// <summary>What a pixel of a PNG is.</summary>
internal enum PngColorType
{
    Grey = 0,
    Rgb = 2,
    Palette = 3,
    GreyAndAlpha = 4,
    RgbAndAlpha = 6,
}
