using System.Buffers;
using System.Buffers.Binary;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>Writes the pages of an Ogg stream (RFC 3533), each with one packet.</summary>
/// <param name="serial">The number of the stream.</param>
internal sealed class OggPages(uint serial)
{
    private const int HeaderBytes = 27;
    private const int ChecksumAt = 22;
    private const int MaxSegment = 255;
    private const uint Polynomial = 0x04C1_1DB7;

    private static readonly uint[] Checksums = [.. Enumerable.Range(0, 256).Select(static value => Shifted((uint)value << 24))];

    private uint _sequence;

    /// <summary>The longest packet that fits in a page.</summary>
    public const int MaxPacket = (MaxSegment * MaxSegment) - 1;

    /// <summary>Writes a page.</summary>
    /// <param name="output">Where to.</param>
    /// <param name="packet">Its packet, of at most <see cref="MaxPacket"/> bytes.</param>
    /// <param name="position">The position in the stream at the end of the packet; what it counts depends on the codec.</param>
    /// <param name="isLast">Whether the stream ends with it.</param>
    public void Write(IBufferWriter<byte> output, ReadOnlySpan<byte> packet, long position, bool isLast = false)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(packet.Length, MaxPacket);
        var segments = (packet.Length / MaxSegment) + 1; // the last is shorter than the others
        var size = HeaderBytes + segments + packet.Length;
        var page = output.GetSpan(size)[..size];
        "OggS"u8.CopyTo(page);
        page[4] = 0; // the version
        page[5] = (byte)((_sequence == 0 ? 2 : 0) | (isLast ? 4 : 0));
        BinaryPrimitives.WriteInt64LittleEndian(page[6..], position);
        BinaryPrimitives.WriteUInt32LittleEndian(page[14..], serial);
        BinaryPrimitives.WriteUInt32LittleEndian(page[18..], _sequence++);
        BinaryPrimitives.WriteUInt32LittleEndian(page[ChecksumAt..], 0);
        page[26] = (byte)segments;
        page.Slice(HeaderBytes, segments - 1).Fill(MaxSegment);
        page[HeaderBytes + segments - 1] = (byte)(packet.Length % MaxSegment);
        packet.CopyTo(page[(HeaderBytes + segments)..]);
        BinaryPrimitives.WriteUInt32LittleEndian(page[ChecksumAt..], Checksum(page));
        output.Advance(size);
    }

    /// <summary>The checksum of a page whose own is 0.</summary>
    internal static uint Checksum(ReadOnlySpan<byte> page)
    {
        var checksum = 0u;
        foreach (var value in page)
        {
            checksum = (checksum << 8) ^ Checksums[(checksum >> 24) ^ value];
        }

        return checksum;
    }

    private static uint Shifted(uint value)
    {
        for (var bit = 0; bit < 8; bit++)
        {
            value = (value << 1) ^ ((value >> 31) * Polynomial);
        }

        return value;
    }
}
