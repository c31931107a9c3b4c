using System.Buffers;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Supervision;

/// <summary>Where two states of the same console differ.</summary>
public static class StateComparison
{
    /// <summary>Runs of differing bytes listed of one region at most.</summary>
    public const int MaxRuns = 64;

    /// <summary>Equal bytes that do not end a run: a table of counters is one difference.</summary>
    private const int Gap = 4;

    // the layout of mGBA's serialized states (mgba/internal/gba/serialize.h and gb/serialize.h); addresses are those of the bus
    private static readonly Region[] Gba =
    [
        new("machine", 0, 0x400, null), new("io", 0x400, 0x400, 0x04000000), new("palette", 0x800, 0x400, 0x05000000), new("oam", 0xC00, 0x400, 0x07000000),
        new("vram", 0x1000, 0x18000, 0x06000000), new("iwram", 0x19000, 0x8000, 0x03000000), new("wram", 0x21000, 0x40000, 0x02000000),
    ];

    // banks follow each other, so only what has none has an address on the bus
    private static readonly Region[] Gb =
    [
        new("machine", 0, 0x260, null), new("oam", 0x260, 0xA0, 0xFE00), new("io", 0x300, 0x80, 0xFF00), new("hram", 0x380, 0x80, 0xFF80),
        new("vram", 0x400, 0x4000, null), new("wram", 0x4400, 0x8000, null), new("super", 0xC400, 0x5400, null),
    ];

    /// <summary>Compares two states, raw or PNG. Null when one of them is damaged or they are of different consoles.</summary>
    public static IReadOnlyList<RegionDifference>? Compare(byte[] first, byte[] second, string platform)
    {
        var regions = platform == "gba" ? Gba : Gb;
        var (left, right) = (Raw(first), Raw(second));
        var size = regions[^1].At + regions[^1].Length;
        return left.Length < size || right.Length < size ? null
            : [.. regions.Select(region => Compare(region, left.AsSpan(region.At, region.Length), right.AsSpan(region.At, region.Length)))];
    }

    private static byte[] Raw(byte[] state) => PngState.Unpack(new ReadOnlySequence<byte>(state)).ToArray();

    private static RegionDifference Compare(Region region, ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        var runs = new List<DifferingRun>();
        var (bytes, more) = (0, 0);
        for (var at = left.CommonPrefixLength(right); at < left.Length; at += left[at..].CommonPrefixLength(right[at..]))
        {
            var end = EndOfRun(left, right, at, ref bytes);
            if (runs.Count < MaxRuns)
            {
                runs.Add(new DifferingRun(at, end - at));
            }
            else
            {
                more++;
            }

            at = end;
        }

        return new RegionDifference(region.Name, region.Length, region.Address, bytes, runs, more);
    }

    private static int EndOfRun(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right, int at, ref int bytes)
    {
        var end = at;
        for (var equal = 0; at < left.Length && equal <= Gap; at++)
        {
            if (left[at] == right[at])
            {
                equal++;
            }
            else
            {
                (equal, end) = (0, at + 1);
                bytes++;
            }
        }

        return end;
    }

    private readonly record struct Region(string Name, int At, int Length, long? Address);
}

/// <summary>How a part of two states differs.</summary>
/// <param name="Name">The part.</param>
/// <param name="Length">Its size in bytes.</param>
/// <param name="Address">Where it begins on the bus; null where that is not known.</param>
/// <param name="Bytes">How many bytes differ.</param>
/// <param name="Runs">Where; at most <see cref="StateComparison.MaxRuns"/>.</param>
/// <param name="MoreRuns">How many runs follow that are not listed.</param>
public sealed record RegionDifference(string Name, int Length, long? Address, int Bytes, IReadOnlyList<DifferingRun> Runs, int MoreRuns);

/// <summary>Bytes next to each other that differ.</summary>
/// <param name="Offset">Where the first one is in its region.</param>
/// <param name="Length">How many there are.</param>
public readonly record struct DifferingRun(int Offset, int Length);
