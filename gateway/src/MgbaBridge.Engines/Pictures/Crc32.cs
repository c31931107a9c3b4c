namespace MgbaBridge.Engines.Pictures;

/// <summary>The checksum of PNGs and of ROMs.</summary>
internal static class Crc32
{
    /// <summary>Where it begins; at the end its complement is the checksum.</summary>
    public const uint Start = uint.MaxValue;

    private static readonly uint[] Table = [.. Enumerable.Range(0, 256).Select(Remainder)];

    /// <summary>That of these bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes) => ~Add(Start, bytes);

    /// <summary>That of further bytes.</summary>
    public static uint Add(uint sum, ReadOnlySpan<byte> bytes)
    {
        foreach (var part in bytes)
        {
            sum = Table[(byte)(sum ^ part)] ^ (sum >> 8);
        }

        return sum;
    }

    private static uint Remainder(int number)
    {
        var sum = (uint)number;
        for (var bit = 0; bit < 8; bit++)
        {
            sum = (sum & 1) != 0 ? (sum >> 1) ^ 0xEDB88320 : sum >> 1;
        }

        return sum;
    }
}
