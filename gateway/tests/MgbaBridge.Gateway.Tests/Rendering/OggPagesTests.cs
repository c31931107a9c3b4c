using System.Buffers;
using System.Buffers.Binary;
using MgbaBridge.Gateway.Rendering;

namespace MgbaBridge.Gateway.Tests.Rendering;

public sealed class OggPagesTests
{
    [Fact]
    public void Checksum_IsThatOfTheCatalogue() => Assert.Equal(~0x765E_7680u, OggPages.Checksum("123456789"u8)); // CRC-32/CKSUM, which is inverted at the end

    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(254, new byte[] { 254 })]
    [InlineData(255, new byte[] { 255, 0 })]
    [InlineData(600, new byte[] { 255, 255, 90 })]
    public void Page_HasThePacketInSegments(int length, byte[] segments)
    {
        var packet = new byte[length];
        Random.Shared.NextBytes(packet);

        var page = Written(packet);

        Assert.Equal("OggS"u8, page.AsSpan(0, 4));
        Assert.Equal(segments.Length, page[26]);
        Assert.Equal(segments, page[27..(27 + segments.Length)]);
        Assert.Equal(packet, page[(27 + segments.Length)..]);
        var checksum = BinaryPrimitives.ReadUInt32LittleEndian(page.AsSpan(22));
        page.AsSpan(22, 4).Clear();
        Assert.Equal(OggPages.Checksum(page), checksum);
    }

    [Fact]
    public void Pages_AreNumbered_AndNameTheFirstAndTheLast()
    {
        var output = new ArrayBufferWriter<byte>();
        var pages = new OggPages(0x0403_0201);
        pages.Write(output, "a"u8, 0);
        pages.Write(output, "b"u8, 960);
        pages.Write(output, "c"u8, 0x0102_0304_0506, isLast: true);

        var bytes = output.WrittenSpan.ToArray().Chunk(29).ToArray();
        Assert.Equal([2, 0, 4], bytes.Select(page => page[5]));
        Assert.Equal([0, 1, 2], bytes.Select(page => BinaryPrimitives.ReadInt32LittleEndian(page.AsSpan(18))));
        Assert.Equal([0, 960, 0x0102_0304_0506], bytes.Select(page => BinaryPrimitives.ReadInt64LittleEndian(page.AsSpan(6))));
        Assert.All(bytes, page => Assert.Equal([1, 2, 3, 4], page[14..18]));
    }

    [Fact]
    public void Packet_ThatNoPageCanHave_IsAnError()
    {
        var longest = new byte[OggPages.MaxPacket];
        Assert.Equal(255, Written(longest)[26]);
        Assert.Throws<ArgumentOutOfRangeException>(() => new OggPages(1).Write(new ArrayBufferWriter<byte>(), new byte[OggPages.MaxPacket + 1], 0));
    }

    private static byte[] Written(byte[] packet)
    {
        var output = new ArrayBufferWriter<byte>();
        new OggPages(1).Write(output, packet, 0);
        return output.WrittenSpan.ToArray();
    }
}
