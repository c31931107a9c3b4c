using System.Buffers.Binary;

namespace MgbaBridge.Gateway.Pictures;

/// <summary>A part of a PNG: its length, its name, its bytes and their checksum.</summary>
internal static class PngChunk
{
    private static readonly uint[] Table = [.. Enumerable.Range(0, 256).Select(Remainder)];

    public static void Write(Stream file, ReadOnlySpan<byte> name, ReadOnlySpan<byte> data)
    {
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(number, data.Length);
        file.Write(number);
        file.Write(name);
        file.Write(data);
        BinaryPrimitives.WriteUInt32BigEndian(number, ~Checksum(Checksum(uint.MaxValue, name), data));
        file.Write(number);
    }

    private static uint Checksum(uint sum, ReadOnlySpan<byte> bytes)
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
