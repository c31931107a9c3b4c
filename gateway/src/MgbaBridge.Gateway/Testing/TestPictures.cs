using System.Buffers;
using MgbaBridge.Engines.Pictures;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Compares pictures.</summary>
internal static class TestPictures
{
    /// <summary>What is wrong with a picture that is not there.</summary>
    public const string Missing = "is missing; --update writes it, except in tests with expect-failure";

    /// <summary>Bits of a channel.</summary>
    public const int AllBits = 8;

    // mGBA's, from light to dark
    private static ReadOnlySpan<byte> Greys => [0xFF, 0xAD, 0x52, 0x00];

    private const string NoPicture = "is no PNG, or one with more than 4194304 pixels";

    /// <summary>What is wrong with a picture that is expected, or null.</summary>
    public static string? Problem(ReadOnlySpan<byte> expected, PictureRegion? region)
    {
        if (!PngFile.TryRead(expected, out var picture))
        {
            return NoPicture;
        }

        using (picture)
        {
            return region is { } part ? Outside(picture, part) : null;
        }
    }

    /// <summary>How many pixels of a region differ, and a picture of them; or why the pictures cannot be compared.</summary>
    /// <param name="expected">The PNG that is expected.</param>
    /// <param name="actual">The PNG of the game.</param>
    /// <param name="region">The region; null for all.</param>
    /// <param name="comparison">How their pixels are compared.</param>
    public static (long Different, byte[] Difference, string? Problem) Compare(ReadOnlySpan<byte> expected, ReadOnlySpan<byte> actual, PictureRegion? region, PictureComparison comparison)
    {
        if (!PngFile.TryRead(expected, out var left))
        {
            return (0, [], NoPicture);
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
        if (Outside(left, part) is { } outside)
        {
            return (0, [], outside);
        }

        var hidden = comparison.Mask is { } mask ? MaskOf(mask, right, out var wrong) : NoMask(out wrong);
        return wrong is null ? Compare(left, right, part, comparison, hidden) : (0, [], wrong);
    }

    /// <summary>What is wrong with a mask, or null.</summary>
    public static string? ProblemOfMask(string path)
    {
        if (!PngFile.TryRead(File.ReadAllBytes(path), out var picture))
        {
            return NoPicture;
        }

        picture.Dispose();
        return null;
    }

    private static byte[]? NoMask(out string? wrong)
    {
        wrong = null;
        return null;
    }

    private static byte[]? MaskOf(string path, Picture game, out string? wrong)
    {
        wrong = $"cannot be compared: the mask {Path.GetFileName(path)} {NoPicture}";
        if (!PngFile.TryRead(File.ReadAllBytes(path), out var mask))
        {
            return null;
        }

        using (mask)
        {
            wrong = (mask.Width, mask.Height) == (game.Width, game.Height) ? null
                : $"cannot be compared: the mask {Path.GetFileName(path)} has {mask.Width}x{mask.Height} pixels; the game's picture has {game.Width}x{game.Height}";
            return mask.Rgb.ToArray();
        }
    }

    private static (long Different, byte[] Difference, string? Problem) Compare(Picture left, Picture right, PictureRegion part, PictureComparison comparison, byte[]? mask)
    {
        var (expected, actual) = (left.Rgb.ToArray(), right.Rgb.ToArray());
        var seen = comparison.Shades is { } shades ? InShades(actual, shades) : comparison.IsOfGambatte ? AsGambatte(actual) : actual;
        var (bits, tolerance) = ((byte)(0xFF << (AllBits - comparison.ColorBits)), comparison.Tolerance);
        int[] different = [.. Enumerable.Range(0, right.Width * right.Height).Where(pixel =>
        {
            var ((y, x), at) = (Math.DivRem(pixel, right.Width), pixel * Picture.PixelSize);
            return x >= part.X && x < part.X + part.Width && y >= part.Y && y < part.Y + part.Height
                && (mask is null || mask.AsSpan(at, Picture.PixelSize).ContainsAnyExcept((byte)0))
                && (Differs(at) || Differs(at + 1) || Differs(at + 2));
        })];
        return (different.Length, different.Length == 0 ? [] : Draw(different, actual, right.Width, right.Height), null);

        bool Differs(int at) => Math.Abs((expected[at] & bits) - (seen[at] & bits)) > tolerance;
    }

    // as its test runner computes them from five bits
    private static byte[] AsGambatte(byte[] rgb)
    {
        var changed = new byte[rgb.Length];
        for (var at = 0; at < rgb.Length; at += Picture.PixelSize)
        {
            var (red, green, blue) = (rgb[at] >> 3, rgb[at + 1] >> 3, rgb[at + 2] >> 3);
            (changed[at], changed[at + 1], changed[at + 2]) = ((byte)(((red * 13) + (green * 2) + blue) / 2), (byte)(((green * 3) + blue) * 2), (byte)(((red * 3) + (green * 2) + (blue * 11)) / 2));
        }

        return changed;
    }

    // mGBA's greys of a Game Boy as other ones; what is no such grey remains
    private static byte[] InShades(byte[] rgb, IReadOnlyList<byte> shades)
    {
        var changed = rgb.ToArray();
        for (var at = 0; at < rgb.Length; at += Picture.PixelSize)
        {
            if (rgb[at] == rgb[at + 1] && rgb[at] == rgb[at + 2] && Greys.IndexOf(rgb[at]) is >= 0 and var shade)
            {
                changed.AsSpan(at, Picture.PixelSize).Fill(shades[shade]);
            }
        }

        return changed;
    }

    private static string? Outside(Picture picture, PictureRegion part) => part.X > picture.Width - part.Width || part.Y > picture.Height - part.Height
        ? $"has {picture.Width}x{picture.Height} pixels; the region [{part.X}, {part.Y}, {part.Width}, {part.Height}] is not inside" : null;

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
