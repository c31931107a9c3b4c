using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.IO.Compression;
using System.Runtime.InteropServices;
using JpegLibrary;
using MgbaBridge.Client.Buffers;

namespace MgbaBridge.Engines.Pictures;

/// <summary>Pictures for the camera of a cartridge: grey, a byte for each pixel from 0 (black), row by row from the top.</summary>
public static class CameraPicture
{
    /// <summary>Pixels in a row.</summary>
    public const int Width = 128;

    /// <summary>Rows.</summary>
    public const int Height = 112;

    /// <summary>The most pixels of a picture that becomes one.</summary>
    public const int MaxPixels = 16_777_216;

    /// <summary>What a picture may be.</summary>
    public static readonly string ExpectedFormat = $"Expected a PNG or JPEG with at most {MaxPixels} pixels.";

    // each is a pass over all pixels; progressive pictures have about ten
    private const int MaxScans = 32;

    // where width and height of a PNG are: behind the length and the name of its first chunk
    private const int PngSizeAt = 8;

    /// <summary>Reads a PNG or JPEG: its middle with the camera's proportions, as large as it is. False if it is none, is broken, or is too large.</summary>
    public static bool TryRead(ReadOnlySequence<byte> file, [NotNullWhen(true)] out byte[]? grey, [NotNullWhen(false)] out string? wrong)
    {
        var bytes = file.IsSingleSegment ? file.First : file.ToArray();
        grey = null;
        try
        {
            var (isPng, isJpeg) = (bytes.Span.StartsWith(PngFile.Signature), bytes.Span.StartsWith((ReadOnlySpan<byte>)[0xFF, 0xD8, 0xFF]));
            var (pixels, width) = isPng ? ReadPng(bytes.Span) : isJpeg ? ReadJpeg(bytes) : default;
            grey = pixels is null ? null : Scale(pixels, width);
            wrong = grey is null ? $"These {bytes.Length} bytes are no picture. {ExpectedFormat}" : null;
        }
        catch (PictureTooLargeException exception)
        {
            wrong = $"The picture has {exception.Width} x {exception.Height} pixels. {ExpectedFormat}";
        }
        catch (Exception exception) when (exception is InvalidDataException or InvalidOperationException or ArgumentException or IndexOutOfRangeException or ArithmeticException or NullReferenceException or NotSupportedException)
        {
            wrong = $"The picture is broken, or of a kind that cannot be read. {ExpectedFormat}"; // the decoder of JPEG has all of them for bytes that are none
        }

        return grey is not null;
    }

    /// <summary>Reads what <see cref="ToPng"/> has written; nothing is darkness.</summary>
    public static bool TryReadPng(ReadOnlySpan<byte> file, [NotNullWhen(true)] out byte[]? grey)
    {
        grey = file.IsEmpty ? new byte[Width * Height] : null;
        if (!file.IsEmpty && PngFile.TryRead(file, out var picture, Width * Height))
        {
            using (picture)
            {
                grey = picture.Width == Width && picture.Height == Height ? GreyOf(picture) : null;
            }
        }

        return grey is not null;
    }

    /// <summary>A PNG of such a picture.</summary>
    public static byte[] ToPng(ReadOnlySpan<byte> grey)
    {
        using var packed = StreamPool.Rent("png pixels");
        using (var deflate = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            for (var y = 0; y < Height; y++)
            {
                deflate.WriteByte((byte)PngFilter.None);
                deflate.Write(grey.Slice(y * Width, Width));
            }
        }

        using var output = StreamPool.Rent("png");
        PngFile.Write(output, Width, Height, 8, PngColorType.Grey, [], packed);
        return output.GetReadOnlySequence().ToArray();
    }

    private static (byte[] Pixels, int Width) ReadPng(ReadOnlySpan<byte> file)
    {
        if (file.Length >= PngFile.Signature.Length + PngSizeAt + 8)
        {
            var size = file[(PngFile.Signature.Length + PngSizeAt)..];
            PictureTooLargeException.ThrowIf(BinaryPrimitives.ReadUInt32BigEndian(size), BinaryPrimitives.ReadUInt32BigEndian(size[4..]));
        }

        if (!PngFile.TryRead(file, out var picture, MaxPixels))
        {
            throw new InvalidDataException("It is no PNG.");
        }

        using (picture)
        {
            return (GreyOf(picture), picture.Width);
        }
    }

    private static byte[] GreyOf(Picture picture)
    {
        var grey = new byte[picture.Width * picture.Height];
        var (at, channel, sum) = (0, 0, 0);
        foreach (var part in picture.Rgb)
        {
            foreach (var value in part.Span)
            {
                sum += value * Weights[channel];
                if (++channel == Picture.PixelSize)
                {
                    grey[at++] = (byte)(sum >> 8);
                    (channel, sum) = (0, 0);
                }
            }
        }

        return grey;
    }

    // the brightness of red, green and blue (ITU-R BT.601), of 256
    private static ReadOnlySpan<int> Weights => [77, 150, 29];

    private static (byte[] Pixels, int Width) ReadJpeg(ReadOnlyMemory<byte> file)
    {
        if (file.Span.Count((ReadOnlySpan<byte>)[0xFF, 0xDA]) > MaxScans)
        {
            throw new NotSupportedException("It has too many scans.");
        }

        var decoder = new JpegDecoder();
        decoder.SetInput(file);
        decoder.Identify();
        PictureTooLargeException.ThrowIf((uint)decoder.Width, (uint)decoder.Height);
        if (decoder.Precision != 8 || decoder.NumberOfComponents is not (1 or 3))
        {
            throw new NotSupportedException("It has other colours than those of a screen.");
        }

        var brightness = new Brightness(decoder.Width, decoder.Height);
        decoder.SetOutputWriter(brightness);
        decoder.Decode();
        return (brightness.Pixels, decoder.Width);
    }

    // each pixel the mean of those that it covers
    private static byte[] Scale(byte[] pixels, int width)
    {
        var height = pixels.Length / width;
        var (across, down) = ((long)width * Height > (long)height * Width ? Math.Max(1, (int)((long)height * Width / Height)) : width, (long)width * Height > (long)height * Width ? height : Math.Max(1, (int)((long)width * Height / Width)));
        var (left, top) = ((width - across) / 2, (height - down) / 2);
        var grey = new byte[Width * Height];
        for (var y = 0; y < Height; y++)
        {
            var (firstRow, lastRow) = Covered(y, down, Height);
            for (var x = 0; x < Width; x++)
            {
                var (first, last) = Covered(x, across, Width);
                long sum = 0;
                for (var row = firstRow; row < lastRow; row++)
                {
                    foreach (var pixel in pixels.AsSpan(((top + row) * width) + left + first, last - first))
                    {
                        sum += pixel;
                    }
                }

                var count = (lastRow - firstRow) * (last - first);
                grey[(y * Width) + x] = (byte)((sum + (count / 2)) / count);
            }
        }

        return grey;
    }

    private static (int First, int Last) Covered(int index, int size, int count)
    {
        var first = (int)((long)index * size / count);
        return (first, Math.Max(first + 1, (int)((long)(index + 1) * size / count)));
    }

    /// <summary>Keeps the first component of a JPEG, which is the brightness.</summary>
    private sealed class Brightness(int width, int height) : JpegBlockOutputWriter
    {
        private const int Side = 8;

        public byte[] Pixels { get; } = new byte[width * height];

        public override void WriteBlock(ref short blockRef, int componentIndex, int x, int y)
        {
            if (componentIndex != 0 || x < 0 || y < 0)
            {
                return;
            }

            var block = MemoryMarshal.CreateReadOnlySpan(ref blockRef, Side * Side);
            for (var row = 0; row < Side && y + row < height; row++)
            {
                for (var column = 0; column < Side && x + column < width; column++)
                {
                    Pixels[((y + row) * width) + x + column] = (byte)Math.Clamp((int)block[(row * Side) + column], byte.MinValue, byte.MaxValue);
                }
            }
        }
    }

    private sealed class PictureTooLargeException(uint width, uint height) : Exception
    {
        public uint Width { get; } = width;

        public uint Height { get; } = height;

        public static void ThrowIf(uint width, uint height)
        {
            if ((ulong)width * height > MaxPixels)
            {
                throw new PictureTooLargeException(width, height);
            }
        }
    }
}
