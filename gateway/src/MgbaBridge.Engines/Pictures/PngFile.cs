using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.IO.Compression;
using MgbaBridge.Client.Buffers;
using Microsoft.IO;

namespace MgbaBridge.Engines.Pictures;

/// <summary>PNG as the emulator writes it: eight bits a channel, with or without alpha, not interlaced.</summary>
public static class PngFile
{
    /// <summary>Pixels that are indexes of a palette.</summary>
    internal const byte Indexed = 3;

    private const int HeaderSize = 13;
    private const int MaxPixels = 4_194_304;
    private const byte Rgb = 2;
    private const byte RgbAndAlpha = 6;

    private static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>Reads a PNG without its alpha channel. False if the bytes are not a PNG, or a PNG of another format. Dispose the picture.</summary>
    public static bool TryRead(ReadOnlySpan<byte> file, [NotNullWhen(true)] out Picture? picture)
    {
        try
        {
            picture = Read(file);
            return true;
        }
        catch (Exception exception) when (exception is InvalidDataException or IOException) // ZLibStream has both for bytes that are no pixels
        {
            picture = null;
            return false;
        }
    }

    /// <summary>Writes the picture of a state that is a PNG: every chunk except mGBA's own (<c>gbAs</c>, <c>gbAx</c>), which hold the state. False if the state is not a PNG.</summary>
    public static bool TryWriteWithoutState(ReadOnlySpan<byte> file, Stream output)
    {
        try
        {
            var rest = Chunks(file);
            output.Write(Signature);
            while (PngChunk.TryTake(ref rest, out var chunk))
            {
                if (!PngChunk.NameOf(chunk).StartsWith("gbA"u8))
                {
                    output.Write(chunk);
                }
            }

            return true;
        }
        catch (InvalidDataException)
        {
            return false;
        }
    }

    /// <summary>Writes a picture as PNG, each pixel as a square of <paramref name="scale"/> by <paramref name="scale"/>.</summary>
    public static void Write(Picture picture, int scale, Stream output)
    {
        using var packed = StreamPool.Rent("png pixels");
        using (var deflate = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            picture.WriteRows(deflate, scale, [(byte)PngFilter.None]);
        }

        Write(output, picture.Width * scale, picture.Height * scale, 8, Rgb, [], packed);
    }

    /// <summary>Writes pixels with an alpha channel as PNG, each as a square of <paramref name="scale"/> by <paramref name="scale"/>.</summary>
    /// <param name="rgba">Red, green, blue and alpha, a byte each, row by row from the top.</param>
    /// <param name="width">Pixels in a row.</param>
    /// <param name="scale">The side of the square.</param>
    /// <param name="output">Receives the file.</param>
    public static void WriteWithAlpha(ReadOnlySpan<byte> rgba, int width, int scale, Stream output)
    {
        const int PixelSize = 4;
        using var packed = StreamPool.Rent("png pixels");
        var scaled = new byte[1 + (width * scale * PixelSize)];
        scaled[0] = (byte)PngFilter.None;
        var height = rgba.Length / (width * PixelSize);
        using (var deflate = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            for (var y = 0; y < height; y++)
            {
                Picture.WriteRow(deflate, rgba.Slice(y * width * PixelSize, width * PixelSize), PixelSize, scale, scaled, 1);
            }
        }

        Write(output, width * scale, height * scale, 8, RgbAndAlpha, [], packed);
    }

    /// <summary>Writes a file whose rows are packed already.</summary>
    /// <param name="output">Receives the file.</param>
    /// <param name="width">Pixels in a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="depth">Bits of a channel, or of an index of the palette.</param>
    /// <param name="colorType">What a pixel is.</param>
    /// <param name="palette">The colours, three bytes each; empty for none.</param>
    /// <param name="packed">The rows.</param>
    internal static void Write(Stream output, int width, int height, int depth, byte colorType, byte[] palette, RecyclableMemoryStream packed)
    {
        var header = new byte[HeaderSize];
        BinaryPrimitives.WriteInt32BigEndian(header, width);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(4), height);
        (header[8], header[9]) = ((byte)depth, colorType);
        output.Write(Signature);
        PngChunk.Write(output, "IHDR"u8, new ReadOnlySequence<byte>(header));
        if (palette.Length > 0)
        {
            PngChunk.Write(output, "PLTE"u8, new ReadOnlySequence<byte>(palette));
        }

        PngChunk.Write(output, "IDAT"u8, packed.GetReadOnlySequence());
        PngChunk.Write(output, "IEND"u8, default);
    }

    private static Picture Read(ReadOnlySpan<byte> file)
    {
        var rest = Chunks(file);
        var (width, height, channels) = (0, 0, 0);
        using var packed = StreamPool.Rent("png pixels");
        while (PngChunk.TryTake(ref rest, out var chunk))
        {
            var name = PngChunk.NameOf(chunk);
            if (name.SequenceEqual("IHDR"u8))
            {
                (width, height, channels) = ReadHeader(PngChunk.DataOf(chunk));
            }
            else if (name.SequenceEqual("IDAT"u8))
            {
                packed.Write(PngChunk.DataOf(chunk));
            }
        }

        packed.Position = 0;
        return channels == 0 ? throw new InvalidDataException("It has no header.") : Unpack(packed, width, height, channels);
    }

    private static ReadOnlySpan<byte> Chunks(ReadOnlySpan<byte> file) =>
        file.StartsWith(Signature) ? file[Signature.Length..] : throw new InvalidDataException("It does not begin as a PNG does.");

    private static (int Width, int Height, int Channels) ReadHeader(ReadOnlySpan<byte> header)
    {
        var valid = header.Length == HeaderSize && header[8] == 8 && header[9] is Rgb or RgbAndAlpha && header[12] == 0;
        var (width, height) = valid ? (BinaryPrimitives.ReadInt32BigEndian(header), BinaryPrimitives.ReadInt32BigEndian(header[4..])) : (0, 0);
        return width > 0 && height > 0 && (long)width * height <= MaxPixels
            ? (width, height, header[9] == RgbAndAlpha ? 4 : Picture.PixelSize)
            : throw new InvalidDataException("It is of another form than eight bits of red, green and blue.");
    }

    private static Picture Unpack(Stream packed, int width, int height, int channels)
    {
        var picture = new Picture(width, height);
        try
        {
            using var inflate = new ZLibStream(packed, CompressionMode.Decompress, leaveOpen: true);
            Unpack(inflate, picture, channels);
            return picture;
        }
        catch
        {
            picture.Dispose();
            throw;
        }
    }

    private static void Unpack(ZLibStream inflate, Picture picture, int channels)
    {
        var (row, above) = (new byte[picture.Width * channels], new byte[picture.Width * channels]);
        var rgb = new byte[picture.Width * Picture.PixelSize];
        for (var y = 0; y < picture.Height; y++)
        {
            var filter = inflate.ReadByte();
            if (inflate.ReadAtLeast(row, row.Length, throwOnEndOfStream: false) < row.Length)
            {
                throw new InvalidDataException("The pixels are truncated.");
            }

            PngFilters.Undo((PngFilter)filter, row, above, channels);
            for (var x = 0; x < picture.Width; x++)
            {
                row.AsSpan(x * channels, Picture.PixelSize).CopyTo(rgb.AsSpan(x * Picture.PixelSize));
            }

            picture.Add(rgb);
            (row, above) = (above, row);
        }
    }
}
