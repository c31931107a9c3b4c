using System.Globalization;
using System.Security.Cryptography;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Recording;

/// <summary>What a hash is of: some ranges of memory of one frame, one behind the other.</summary>
/// <param name="Ranges">The ranges.</param>
public sealed record HashedRanges(IReadOnlyList<MemoryRange> Ranges)
{
    /// <summary>What ranges look like.</summary>
    public const string Forms = "ranges are 1 to 16 texts such as wram:0x0/262144, a location and a length, together at most 1 MiB.";

    private const int Most = 16;
    private const long MostBytes = 1_048_576;

    /// <summary>All of the working memory of a machine.</summary>
    public static HashedRanges Of(Game game) => new(game.Platform == "gba"
        ? [new MemoryRange(new Location("wram", 0), 262_144, null), new MemoryRange(new Location("iwram", 0), 32_768, null)]
        : [new MemoryRange(new Location("wram", 0), 8_192, null), new MemoryRange(new Location("hram", 0), 127, null)]);

    /// <summary>Reads texts such as <c>wram:0x0/262144</c>.</summary>
    public static HashedRanges? Parse(IReadOnlyList<string> texts)
    {
        var ranges = new List<MemoryRange>();
        foreach (var text in texts)
        {
            var slash = text?.LastIndexOf('/') ?? -1;
            if (slash < 0 || !Location.TryParse(text.AsSpan(0, slash), out var location)
                || !long.TryParse(text.AsSpan(slash + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var length) || length is < 1 or > MostBytes)
            {
                return null;
            }

            ranges.Add(new MemoryRange(location, length, null));
        }

        return ranges.Count is 0 or > Most || ranges.Sum(range => range.Length) > MostBytes ? null : new HashedRanges(ranges);
    }

    /// <summary>The ranges as texts.</summary>
    public IReadOnlyList<string> Texts() => [.. Ranges.Select(range => string.Create(CultureInfo.InvariantCulture, $"{range.Location}/{range.Length}"))];

    /// <summary>The hash of these bytes.</summary>
    public static string Hash(ReadOnlySpan<byte> bytes) => Convert.ToHexStringLower(SHA256.HashData(bytes));
}
