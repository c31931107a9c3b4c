using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.IO.Compression;
using MgbaBridge.Client.Buffers;
using Microsoft.IO;

namespace MgbaBridge.Engines.Pictures;

/// <summary>Reads PNG files of every form, and writes those with eight bits a channel.</summary>
public static class PngFile
{
    private const int UsualMaxPixels = 4_194_304;

    internal static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>Reads a PNG as eight bits of red, green and blue; transparent pixels have their colour. False if the bytes are not a PNG, or one with more
    /// than <paramref name="maxPixels"/>. Dispose the picture.</summary>
    public static bool TryRead(ReadOnlySpan<byte> file, [NotNullWhen(true)] out Picture? picture, int maxPixels = UsualMaxPixels)
    {
        try
        {
            picture = Read(file, maxPixels);
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

        Write(output, picture.Width * scale, picture.Height * scale, 8, PngColorType.Rgb, [], packed);
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

        Write(output, width * scale, height * scale, 8, PngColorType.RgbAndAlpha, [], packed);
    }

    /// <summary>Writes a file whose rows are packed already.</summary>
    /// <param name="output">Receives the file.</param>
    /// <param name="width">Pixels in a row.</param>
    /// <param name="height">Rows.</param>
    /// <param name="depth">Bits of a channel, or of an index of the palette.</param>
    /// <param name="colorType">What a pixel is.</param>
    /// <param name="palette">The colours, three bytes each; empty for none.</param>
    /// <param name="packed">The rows.</param>
    internal static void Write(Stream output, int width, int height, int depth, PngColorType colorType, byte[] palette, RecyclableMemoryStream packed)
    {
        var header = new byte[PngForm.HeaderSize];
        BinaryPrimitives.WriteInt32BigEndian(header, width);
        BinaryPrimitives.WriteInt32BigEndian(header.AsSpan(4), height);
        (header[8], header[9]) = ((byte)depth, (byte)colorType);
        output.Write(Signature);
        PngChunk.Write(output, "IHDR"u8, new ReadOnlySequence<byte>(header));
        if (palette.Length > 0)
        {
            PngChunk.Write(output, "PLTE"u8, new ReadOnlySequence<byte>(palette));
        }

        PngChunk.Write(output, "IDAT"u8, packed.GetReadOnlySequence());
        PngChunk.Write(output, "IEND"u8, default);
    }

    private static Picture Read(ReadOnlySpan<byte> file, int maxPixels)
    {
        var rest = Chunks(file);
        PngForm? form = null;
        byte[] palette = [];
        using var packed = StreamPool.Rent("png pixels");
        while (PngChunk.TryTake(ref rest, out var chunk))
        {
            var name = PngChunk.NameOf(chunk);
            var data = PngChunk.DataOf(chunk);
            if (name.SequenceEqual("IHDR"u8))
            {
                form = PngForm.Read(data, maxPixels);
            }
            else if (name.SequenceEqual("PLTE"u8))
            {
                palette = data.ToArray();
            }
            else if (name.SequenceEqual("IDAT"u8))
            {
                packed.Write(data);
            }
        }

        packed.Position = 0;
        return form is null ? throw new InvalidDataException("It has no header.") : Unpack(packed, form, palette);
    }

    private static ReadOnlySpan<byte> Chunks(ReadOnlySpan<byte> file) =>
        file.StartsWith(Signature) ? file[Signature.Length..] : throw new InvalidDataException("It does not begin as a PNG does.");

    private static Picture Unpack(Stream packed, PngForm form, ReadOnlySpan<byte> palette)
    {
        var picture = new Picture(form.Width, form.Height);
        try
        {
            using var inflate = new ZLibStream(packed, CompressionMode.Decompress, leaveOpen: true);
            if (form.IsInterlaced)
            {
                picture.Add(UnpackPasses(inflate, form, palette));
            }
            else
            {
                var rgb = new byte[form.Width * Picture.PixelSize];
                foreach (var row in new PngRows(inflate, form, form.Width, form.Height))
                {
                    form.ToRgb(row, rgb, palette);
                    picture.Add(rgb);
                }
            }

            return picture;
        }
        catch
        {
            picture.Dispose();
            throw;
        }
    }

    // seven pictures of some of the pixels, each with more of them
    private static byte[] UnpackPasses(Stream inflate, PngForm form, ReadOnlySpan<byte> palette)
    {
        var pixels = new byte[form.Width * form.Height * Picture.PixelSize];
        foreach (var (left, top, right, down) in (ReadOnlySpan<(int, int, int, int)>)[(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)])
        {
            var (width, height) = ((form.Width - left + right - 1) / right, (form.Height - top + down - 1) / down);
            var rgb = new byte[width * Picture.PixelSize];
            var y = top;
            foreach (var row in new PngRows(inflate, form, width, width > 0 ? height : 0))
            {
                form.ToRgb(row, rgb, palette);
                for (var x = 0; x < width; x++)
                {
                    rgb.AsSpan(x * Picture.PixelSize, Picture.PixelSize).CopyTo(pixels.AsSpan(((y * form.Width) + left + (x * right)) * Picture.PixelSize));
                }

                y += down;
            }
        }

        return pixels;
    }
}
