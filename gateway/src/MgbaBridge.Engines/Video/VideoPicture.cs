using System.Runtime.InteropServices;

namespace MgbaBridge.Engines.Video;

/// <summary>Pixels with opacity: red, green, blue and alpha, a byte each, row by row.</summary>
/// <param name="width">Pixels in a row.</param>
/// <param name="height">Rows.</param>
public sealed class VideoPicture(int width, int height)
{
    private readonly uint[] _pixels = new uint[width * height];

    /// <summary>Pixels in a row.</summary>
    public int Width => width;

    /// <summary>Rows.</summary>
    public int Height => height;

    /// <summary>The bytes.</summary>
    public ReadOnlySpan<byte> Rgba => MemoryMarshal.AsBytes<uint>(_pixels);

    /// <summary>The colour of a pixel; 0 is transparent.</summary>
    public uint this[int x, int y]
    {
        get => _pixels[(y * width) + x];
        set => _pixels[(y * width) + x] = value;
    }

    /// <summary>Sets a pixel unless the colour is transparent or the pixel is outside.</summary>
    public void Draw(int x, int y, uint? color)
    {
        if (color is { } opaque && x >= 0 && x < width && y >= 0 && y < height)
        {
            this[x, y] = opaque;
        }
    }
}
