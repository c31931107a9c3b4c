using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.IO.Compression;

namespace MgbaBridge.Gateway.Pictures;

/// <summary>PNG as the emulator writes it: eight bits a channel, with or without alpha, not interlaced.</summary>
public static class PngFile
{
    private const int HeaderSize = 13;
    private const int MaxPixels = 4_194_304;

    private static ReadOnlySpan<byte> Signature => [0x89, (byte)'P', (byte)'N', (byte)'G', 0x0D, 0x0A, 0x1A, 0x0A];

    /// <summary>Reads one; alpha is left away. False if it is none, or of another form.</summary>
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

    /// <summary>The picture of a state that is a PNG: all of it but mGBA's own chunks (<c>gbAs</c>, <c>gbAx</c>), which have the state. Null where there is none.</summary>
    public static byte[]? WithoutState(ReadOnlySpan<byte> file)
    {
        try
        {
            var rest = Chunks(file);
            using var picture = new MemoryStream();
            picture.Write(Signature);
            while (PngChunk.TryTake(ref rest, out var chunk))
            {
                if (!PngChunk.NameOf(chunk).StartsWith("gbA"u8))
                {
                    picture.Write(chunk);
                }
            }

            return picture.ToArray();
        }
        catch (InvalidDataException)
        {
            return null;
        }
    }

    /// <summary>Writes one.</summary>
    public static byte[] Write(Picture picture)
    {
        using var packed = new MemoryStream();
        using (var deflate = new ZLibStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            var row = picture.Width * Picture.PixelSize;
            for (var y = 0; y < picture.Height; y++)
            {
                deflate.WriteByte((byte)PngFilter.None);
                deflate.Write(picture.Rgb, y * row, row);
            }
        }

        Span<byte> header = stackalloc byte[HeaderSize];
        header.Clear();
        BinaryPrimitives.WriteInt32BigEndian(header, picture.Width);
        BinaryPrimitives.WriteInt32BigEndian(header[4..], picture.Height);
        (header[8], header[9]) = (8, 2);
        using var file = new MemoryStream();
        file.Write(Signature);
        PngChunk.Write(file, "IHDR"u8, header);
        PngChunk.Write(file, "IDAT"u8, packed.GetBuffer().AsSpan(0, (int)packed.Length));
        PngChunk.Write(file, "IEND"u8, default);
        return file.ToArray();
    }

    private static Picture Read(ReadOnlySpan<byte> file)
    {
        var rest = Chunks(file);
        var (width, height, channels) = (0, 0, 0);
        using var packed = new MemoryStream();
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
        var valid = header.Length == HeaderSize && header[8] == 8 && header[9] is 2 or 6 && header[12] == 0;
        var (width, height) = valid ? (BinaryPrimitives.ReadInt32BigEndian(header), BinaryPrimitives.ReadInt32BigEndian(header[4..])) : (0, 0);
        return width > 0 && height > 0 && (long)width * height <= MaxPixels
            ? (width, height, header[9] == 6 ? 4 : Picture.PixelSize)
            : throw new InvalidDataException("It is of another form than eight bits of red, green and blue.");
    }

    private static Picture Unpack(MemoryStream packed, int width, int height, int channels)
    {
        using var inflate = new ZLibStream(packed, CompressionMode.Decompress);
        var (row, above) = (new byte[width * channels], new byte[width * channels]);
        var rgb = new byte[width * height * Picture.PixelSize];
        for (var y = 0; y < height; y++)
        {
            var filter = inflate.ReadByte();
            if (inflate.ReadAtLeast(row, row.Length, throwOnEndOfStream: false) < row.Length)
            {
                throw new InvalidDataException("Its pixels are cut short.");
            }

            PngFilters.Undo((PngFilter)filter, row, above, channels);
            for (var x = 0; x < width; x++)
            {
                row.AsSpan(x * channels, Picture.PixelSize).CopyTo(rgb.AsSpan(((y * width) + x) * Picture.PixelSize));
            }

            (row, above) = (above, row);
        }

        return new Picture(width, height, rgb);
    }
}
