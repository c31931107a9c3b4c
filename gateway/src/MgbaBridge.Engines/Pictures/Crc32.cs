using System.Buffers.Binary;

namespace MgbaBridge.Engines.Pictures;

/// <summary>The checksum of PNGs and of ROMs, eight bytes at a time: a ROM of 32 MiB is read before its emulator starts.</summary>
internal static class Crc32
{
    /// <summary>Where it begins; at the end its complement is the checksum.</summary>
    public const uint Start = uint.MaxValue;

    private const int Slice = 8;
    private const int Values = 256;

    // of a byte that so many others follow: a table of 256 for each of them
    private static readonly uint[] Table = MakeTable();

    /// <summary>That of these bytes.</summary>
    public static uint Of(ReadOnlySpan<byte> bytes) => ~Add(Start, bytes);

    /// <summary>That of further bytes.</summary>
    public static uint Add(uint sum, ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<uint> table = Table;
        for (; bytes.Length >= Slice; bytes = bytes[Slice..])
        {
            var eight = BinaryPrimitives.ReadUInt64LittleEndian(bytes) ^ sum;
            sum = 0;
            for (var follow = Slice - 1; follow >= 0; follow--)
            {
                sum ^= table[(follow * Values) + (byte)eight];
                eight >>= 8;
            }
        }

        foreach (var part in bytes)
        {
            sum = table[(byte)(sum ^ part)] ^ (sum >> 8);
        }

        return sum;
    }

    private static uint[] MakeTable()
    {
        var table = new uint[Slice * Values];
        for (var at = 0; at < table.Length; at++)
        {
            table[at] = at < Values ? Remainder(at) : table[(byte)table[at - Values]] ^ (table[at - Values] >> 8);
        }

        return table;
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
