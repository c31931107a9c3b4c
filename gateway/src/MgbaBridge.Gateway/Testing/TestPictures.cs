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

    // pixels that differ are red, the others a quarter as bright
    private static (long Different, byte[] Difference, string? Problem) Compare(Picture left, Picture right, PictureRegion part)
    {
        var (expected, actual) = (left.Rgb.ToArray(), right.Rgb.ToArray());
        var different = 0L;
        using var difference = new Picture(right.Width, right.Height);
        for (var at = 0; at < actual.Length; at += Picture.PixelSize)
        {
            var (y, x) = Math.DivRem(at / Picture.PixelSize, right.Width);
            var isInside = x >= part.X && x < part.X + part.Width && y >= part.Y && y < part.Y + part.Height;
            if (isInside && !expected.AsSpan(at, Picture.PixelSize).SequenceEqual(actual.AsSpan(at, Picture.PixelSize)))
            {
                different++;
                difference.Add([0xFF, 0, 0]);
            }
            else
            {
                difference.Add([(byte)(actual[at] / 4), (byte)(actual[at + 1] / 4), (byte)(actual[at + 2] / 4)]);
            }
        }

        using var png = new MemoryStream();
        PngFile.Write(difference, 1, png);
        return (different, png.ToArray(), null);
    }
}
