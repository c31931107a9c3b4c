using System.Buffers;
using System.Buffers.Binary;

namespace MgbaBridge.Engines.Pictures;

/// <summary>A part of a PNG: its length, its name, its bytes and their checksum.</summary>
internal static class PngChunk
{
    // its length, its name and its checksum
    private const int Frills = 12;

    private static readonly uint[] Table = [.. Enumerable.Range(0, 256).Select(Remainder)];

    /// <summary>Takes the first chunk, whole, from what is left of a file. False when there is no other.</summary>
    public static bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> chunk)
    {
        chunk = default;
        if (rest.Length < Frills)
        {
            return false;
        }

        var length = BinaryPrimitives.ReadInt32BigEndian(rest);
        if (length < 0 || length > rest.Length - Frills)
        {
            throw new InvalidDataException("A chunk is truncated.");
        }

        chunk = rest[..(length + Frills)];
        rest = rest[chunk.Length..];
        return true;
    }

    public static ReadOnlySpan<byte> NameOf(ReadOnlySpan<byte> chunk) => chunk[4..8];

    public static ReadOnlySpan<byte> DataOf(ReadOnlySpan<byte> chunk) => chunk[8..^4];

    public static void Write(Stream file, ReadOnlySpan<byte> name, ReadOnlySequence<byte> data)
    {
        Span<byte> number = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(number, (int)data.Length);
        file.Write(number);
        file.Write(name);
        var sum = Checksum(uint.MaxValue, name);
        foreach (var part in data)
        {
            file.Write(part.Span);
            sum = Checksum(sum, part.Span);
        }

        BinaryPrimitives.WriteUInt32BigEndian(number, ~sum);
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
