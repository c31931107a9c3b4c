using MgbaBridge.Client.Commands;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Gateway.Tests.Symbols;

public sealed class JoinedRangesTests
{
    [Fact]
    public void Ranges_ThatTouchOrOverlap_AreOne()
    {
        var joined = new JoinedRanges([Bus(0x20, 4), Bus(0x10, 4), Domain("wram", 0x14, 2), Bus(0x14, 2), Bus(0x12, 2), Bus(0x11, 8), Bus(0x24, 0), Bus(0x1A, 1)]);

        Assert.Equal([Bus(0x10, 9), Bus(0x1A, 1), Bus(0x20, 4), Domain("wram", 0x14, 2)], joined.Ranges);
        Assert.Equal([10, 0, 14, 4, 2, 1, 14, 9], joined.Positions);
    }

    [Fact]
    public void Positions_OfRandomRanges_HaveTheirBytes()
    {
        var random = new Random(7);
        for (var round = 0; round < 200; round++)
        {
            MemoryRange[] wanted = [.. Enumerable.Range(0, random.Next(1, 60)).Select(_ => random.Next(2) == 0 ? Bus(random.Next(200), random.Next(20)) : Domain("wram", random.Next(200), random.Next(20)))];

            var joined = new JoinedRanges(wanted);

            var bytes = joined.Ranges.SelectMany(BytesOf).ToArray();
            Assert.All(wanted.Zip(joined.Positions), one => Assert.Equal(BytesOf(one.First), bytes.Skip(one.Second).Take((int)one.First.Length)));
            Assert.Equal(bytes.Distinct(), bytes);
        }
    }

    // each place has a number of its own
    private static IEnumerable<long> BytesOf(MemoryRange range) =>
        Enumerable.Range(0, (int)range.Length).Select(index => range.Location.Offset + index + (range.Location.Domain is null ? 0 : 1_000));

    private static MemoryRange Bus(long address, long length) => new(Location.Bus(address), length, null);

    private static MemoryRange Domain(string domain, long offset, long length) => new(new Location(domain, offset), length, null);
}
