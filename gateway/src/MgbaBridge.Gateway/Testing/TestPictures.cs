using System.Buffers;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Compares pictures.</summary>
internal static class TestPictures
{
    /// <summary>How many pixels of a region differ, and a picture of them; or why the pictures cannot be compared.</summary>
    /// <param name="expected">The PNG that is expected.</param>
    /// <param name="actual">The PNG of the game.</param>
    /// <param name="region">The region; null for all.</param>
    public static (long Different, byte[] Difference, string? Problem) Compare(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> actual, PictureRegion? region)
    {
        if (!PngFile.TryRead(expected, out var left))
        {
            return (0, [], "is no PNG with 8 bits a channel");
        }

        using var _ = left;
        if (!PngFile.TryRead(actual, out var right))
        {
            return (0, [], "cannot be compared: the emulator's picture is no PNG");
        }

        using var __ = right;
        if ((left.Width, left.Height) != (right.Width, right.Height))
        {
            return (0, [], $"has {left.Width}x{left.Height} pixels; the game's picture has {right.Width}x{right.Height}");
        }

        var part = region ?? new PictureRegion(0, 0, right.Width, right.Height);
        return part.X > right.Width - part.Width || part.Y > right.Height - part.Height
            ? (0, [], $"has {left.Width}x{left.Height} pixels; the region [{part.X}, {part.Y}, {part.Width}, {part.Height}] is not inside")
            : Compare(left, right, part);
    }

    private static (long Different, byte[] Difference, string? Problem) Compare(Picture left, Picture right, PictureRegion part)
    {
        var (expected, actual) = (left.Rgb.ToArray(), right.Rgb.ToArray());
        int[] different = [.. Enumerable.Range(0, right.Width * right.Height).Where(pixel =>
        {
            var ((y, x), at) = (Math.DivRem(pixel, right.Width), pixel * Picture.PixelSize);
            return x >= part.X && x < part.X + part.Width && y >= part.Y && y < part.Y + part.Height
                && !expected.AsSpan(at, Picture.PixelSize).SequenceEqual(actual.AsSpan(at, Picture.PixelSize));
        })];
        return (different.Length, different.Length == 0 ? [] : Draw(different, actual, right.Width, right.Height), null);
    }

    // pixels that differ are red, the others a quarter as bright
    private static byte[] Draw(int[] different, byte[] actual, int width, int height)
    {
        byte[] rgb = [.. actual.Select(static value => (byte)(value / 4))];
        foreach (var pixel in different)
        {
            rgb.AsSpan(pixel * Picture.PixelSize, Picture.PixelSize).Clear();
            rgb[pixel * Picture.PixelSize] = 0xFF;
        }

        using var difference = new Picture(width, height);
        difference.Add(rgb);
        using var png = new MemoryStream();
        PngFile.Write(difference, 1, png);
        return png.ToArray();
    }
}
