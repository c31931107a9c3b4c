using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Symbols;

namespace MgbaBridge.Engines.Recordings;

/// <summary>Bytes that are others in a replay than in its recording.</summary>
/// <param name="Location">Where the first is, such as `wram:0x10`.</param>
/// <param name="Name">The property or symbol that is there, `player.hp` or `counter+0x4`; absent when none is known.</param>
/// <param name="Expected">The bytes in the recording, in hexadecimal.</param>
/// <param name="Found">The bytes in the replay.</param>
public sealed record DifferentBytes(string Location, string? Name, string Expected, string Found)
{
    /// <summary>The most that are listed.</summary>
    public const int MaxPlaces = 16;

    private const int MaxBytes = 16;

    /// <summary>The first places in which a replay's memory differs from the recording's; null when the recording does not have its memory.</summary>
    public static async Task<IReadOnlyList<DifferentBytes>?> ListAsync(
        RecordedGame recorded, ReplayDivergence divergence, GameSymbols names, EmulatorClient emulator, RequestOptions options, CancellationToken cancellationToken)
    {
        if (recorded.MemoryOf(divergence.Line) is not { } expected)
        {
            return null;
        }

        using var domains = await emulator.SendAsync(new ListDomains(), options, cancellationToken);
        return List(recorded.Ranges, expected.Span, divergence.Memory.Span, new PlaceNames(names, domains.Failure is null ? ListDomains.Parse(domains) : []));
    }

    /// <summary>The first places in which ranges of memory differ.</summary>
    internal static List<DifferentBytes> List(HashedRanges ranges, ReadOnlySpan<byte> expected, ReadOnlySpan<byte> found, PlaceNames names)
    {
        var places = new List<DifferentBytes>();
        foreach (var range in ranges.Ranges)
        {
            var length = (int)range.Length;
            for (var at = 0; at < length && places.Count < MaxPlaces;)
            {
                if (expected[at] == found[at])
                {
                    at++;
                    continue;
                }

                var end = at + 1;
                while (end < length && end - at < MaxBytes && expected[end] != found[end])
                {
                    end++;
                }

                var location = range.Location with { Offset = range.Location.Offset + at };
                places.Add(new DifferentBytes(location.ToString(), names.NameOf(location), Convert.ToHexStringLower(expected[at..end]), Convert.ToHexStringLower(found[at..end])));
                at = end;
            }

            expected = expected[length..];
            found = found[length..];
        }

        return places;
    }
}
