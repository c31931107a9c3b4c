using System.Buffers;
using MgbaBridge.Client.Buffers;
using Microsoft.IO;

namespace MgbaBridge.Engines.Pictures;

/// <summary>Pixels: red, green and blue, one byte each, row by row from the top. They are in pooled memory: dispose the picture.</summary>
public sealed class Picture : IDisposable
{
    /// <summary>Bytes of a pixel.</summary>
    public const int PixelSize = 3;

    private readonly RecyclableMemoryStream _rgb = StreamPool.Rent("picture");

    /// <summary>Creates a picture without pixels; <see cref="Add"/> adds them from the top.</summary>
    /// <param name="width">Pixels in a row.</param>
    /// <param name="height">Rows.</param>
    public Picture(int width, int height) => (Width, Height) = (width, height);

    /// <summary>Pixels in a row.</summary>
    public int Width { get; }

    /// <summary>Rows.</summary>
    public int Height { get; }

    /// <summary>The bytes, until the picture is disposed.</summary>
    public ReadOnlySequence<byte> Rgb => _rgb.GetReadOnlySequence();

    public void Dispose() => _rgb.Dispose();

    /// <summary>Adds pixels behind those added before.</summary>
    public void Add(ReadOnlySpan<byte> rgb) => _rgb.Write(rgb);

    /// <summary>Writes the rows, each pixel as a square of <paramref name="scale"/> by <paramref name="scale"/>.</summary>
    /// <param name="output">Receives the rows.</param>
    /// <param name="scale">The side of the square.</param>
    /// <param name="rowPrefix">Bytes before each row.</param>
    public void WriteRows(Stream output, int scale, ReadOnlySpan<byte> rowPrefix)
    {
        var row = new byte[Width * PixelSize];
        var scaled = new byte[rowPrefix.Length + (row.Length * scale)];
        rowPrefix.CopyTo(scaled);
        _rgb.Position = 0;
        for (var y = 0; y < Height; y++)
        {
            _rgb.ReadExactly(row);
            WriteRow(output, row, PixelSize, scale, scaled, rowPrefix.Length);
        }
    }

    /// <summary>Writes a row, each pixel as a square of <paramref name="scale"/> by <paramref name="scale"/>.</summary>
    /// <param name="output">Receives the rows.</param>
    /// <param name="row">The pixels.</param>
    /// <param name="pixelSize">Bytes of a pixel.</param>
    /// <param name="scale">The side of the square.</param>
    /// <param name="scaled">Room for one of the rows.</param>
    /// <param name="prefix">How many bytes at its start stay as they are.</param>
    internal static void WriteRow(Stream output, ReadOnlySpan<byte> row, int pixelSize, int scale, byte[] scaled, int prefix)
    {
        for (var x = 0; x < row.Length / pixelSize * scale; x++)
        {
            row.Slice(x / scale * pixelSize, pixelSize).CopyTo(scaled.AsSpan(prefix + (x * pixelSize)));
        }

        for (var copy = 0; copy < scale; copy++)
        {
            output.Write(scaled);
        }
    }
}
