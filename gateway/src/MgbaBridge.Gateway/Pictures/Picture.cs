namespace MgbaBridge.Gateway.Pictures;

/// <summary>Pixels: red, green and blue, a byte each, row by row from the top.</summary>
/// <param name="Width">Pixels in a row.</param>
/// <param name="Height">Rows.</param>
/// <param name="Rgb">The bytes.</param>
public sealed record Picture(int Width, int Height, byte[] Rgb)
{
    /// <summary>Bytes of a pixel.</summary>
    public const int PixelSize = 3;

    /// <summary>Each pixel as a square of this many.</summary>
    public Picture Scaled(int by)
    {
        var row = Width * by * PixelSize;
        var scaled = new byte[row * Height * by];
        for (var y = 0; y < Height; y++)
        {
            var target = scaled.AsSpan(y * by * row, row);
            for (var x = 0; x < Width * by; x++)
            {
                Rgb.AsSpan(((y * Width) + (x / by)) * PixelSize, PixelSize).CopyTo(target[(x * PixelSize)..]);
            }

            for (var copy = 1; copy < by; copy++)
            {
                target.CopyTo(scaled.AsSpan(((y * by) + copy) * row));
            }
        }

        return new Picture(Width * by, Height * by, scaled);
    }
}
