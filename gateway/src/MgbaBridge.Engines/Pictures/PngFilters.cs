namespace MgbaBridge.Engines.Pictures;

/// <summary>Makes bytes of a row's differences.</summary>
internal static class PngFilters
{
    public static void Undo(PngFilter filter, Span<byte> row, ReadOnlySpan<byte> above, int step)
    {
        if (filter is < PngFilter.None or > PngFilter.Paeth)
        {
            throw new InvalidDataException("It has a filter that there is not.");
        }

        for (var at = 0; at < row.Length; at++)
        {
            var left = at < step ? 0 : row[at - step];
            var corner = at < step ? 0 : above[at - step];
            row[at] += (byte)(filter switch
            {
                PngFilter.Left => left,
                PngFilter.Above => above[at],
                PngFilter.Average => (left + above[at]) / 2,
                PngFilter.Paeth => Nearest(left, above[at], corner),
                _ => 0,
            });
        }
    }

    private static int Nearest(int left, int above, int corner)
    {
        var guess = left + above - corner;
        var (toLeft, toAbove, toCorner) = (Math.Abs(guess - left), Math.Abs(guess - above), Math.Abs(guess - corner));
        return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    }
}

/// <summary>What the bytes of a row are a difference from.</summary>
internal enum PngFilter
{
    None,
    Left,
    Above,
    Average,
    Paeth,
}
