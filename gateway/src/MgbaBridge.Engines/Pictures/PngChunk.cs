using System.Buffers;
using System.Buffers.Binary;

namespace MgbaBridge.Engines.Pictures;

/// <summary>A part of a PNG: its length, its name, its bytes and their checksum.</summary>
internal static class PngChunk
{
    // its length, its name and its checksum
    private const int Frills = 12;

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
        var sum = Crc32.Add(Crc32.Start, name);
        foreach (var part in data)
        {
            file.Write(part.Span);
            sum = Crc32.Add(sum, part.Span);
        }

        BinaryPrimitives.WriteUInt32BigEndian(number, ~sum);
        file.Write(number);
    }
}
