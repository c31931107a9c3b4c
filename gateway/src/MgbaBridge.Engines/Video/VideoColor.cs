using System.Globalization;

namespace MgbaBridge.Engines.Video;

/// <summary>Colours: red, green, blue and opacity, a byte each, red lowest.</summary>
public static class VideoColor
{
    private const uint Opaque = 0xFF000000;
    private const int Channel = 0x1F;

    /// <summary>A colour of the console, five bits a channel, as mGBA shows it.</summary>
    public static uint Of(int color) => Opaque | Widen(color) | (Widen(color >> 5) << 8) | (Widen(color >> 10) << 16);

    /// <summary>The colour as <c>#RRGGBB</c>.</summary>
    public static string Text(uint color) =>
        string.Create(CultureInfo.InvariantCulture, $"#{color & 0xFF:X2}{(color >> 8) & 0xFF:X2}{(color >> 16) & 0xFF:X2}");

    private static uint Widen(int bits) => (uint)(((bits & Channel) << 3) | ((bits & Channel) >> 2));
}
