using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Search;

/// <summary>What a search is about.</summary>
/// <param name="ValueType">The layout of the number in memory.</param>
/// <param name="Domains">Whole domains, by id. With no ranges either: work memory.</param>
/// <param name="Ranges">Parts of memory.</param>
/// <param name="Keep">How many passes are remembered, 1..64.</param>
/// <param name="Past">The frame of the first pass, out of the history of the game; null for the present.</param>
public sealed record SearchPlan(SearchValueType ValueType, IReadOnlyList<string> Domains, IReadOnlyList<MemoryRange> Ranges, int Keep, long? Past = null)
{
    /// <summary>The most passes that are remembered.</summary>
    public const int MaxKept = 64;

    /// <summary>How many are kept by default.</summary>
    public const int UsuallyKept = 4;

    // where games keep what changes, on either machine
    private static readonly string[] WorkMemory = ["wram", "iwram", "hram"];

    /// <summary>The ranges to be read, or what is wrong with them.</summary>
    /// <param name="known">The domains of the game.</param>
    /// <param name="wrong">A sentence, or null.</param>
    internal IReadOnlyList<MemoryRange> RangesIn(IReadOnlyList<MemoryDomain> known, out string? wrong)
    {
        IEnumerable<string> ids = Domains.Count + Ranges.Count == 0 ? WorkMemory.Where(id => known.Any(domain => domain.Id == id)) : Domains;
        var ranges = new List<MemoryRange>();
        foreach (var id in ids.Distinct())
        {
            if (known.FirstOrDefault(domain => domain.Id == id) is not { } domain)
            {
                wrong = $"There is no domain {id}; this game has {string.Join(", ", known.Select(domain => domain.Id))}.";
                return [];
            }

            ranges.Add(new MemoryRange(new Location(id, 0), domain.Size, null));
        }

        ranges.AddRange(Ranges);
        wrong = ranges.Count > Limits.Repeats ? $"A search has at most {Limits.Repeats} domains and ranges." : null;
        return ranges;
    }
}

/// <summary>The number that a search looks for: its layout in memory.</summary>
/// <param name="Type">What it is.</param>
/// <param name="Endian">Which byte comes first.</param>
/// <param name="Alignment">1, 2 or 4: its offset from the range's start is a multiple of this.</param>
public readonly record struct SearchValueType(NumberType Type, Endian Endian, int Alignment)
{
    /// <summary>The smallest number of the type.</summary>
    public long Least => Type switch { NumberType.S8 => sbyte.MinValue, NumberType.S16 => short.MinValue, NumberType.S32 => int.MinValue, _ => 0 };

    /// <summary>The greatest number of the type.</summary>
    public long Greatest => Least + Mask;

    /// <summary>All bits of the type, and how far two numbers can be apart.</summary>
    public long Mask => (1L << (int)Type.Width()) - 1;
}
