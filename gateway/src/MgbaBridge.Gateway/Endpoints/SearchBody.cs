using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What to search for and where.</summary>
public sealed record SearchBody
{
    /// <summary>What the number is: u8, s8, u16, s16, u32 or s32.</summary>
    public required NumberType Type { get; init; }

    /// <summary>Which byte comes first: little unless given, or big.</summary>
    public Endian Endian { get; init; }

    /// <summary>1, 2 or 4: where a number may start, counted from the start of its domain or range. As wide as the number unless given.</summary>
    public int? Alignment { get; init; }

    /// <summary>Domains to look through, by `id` of GET /v2/memory/domains. With no `ranges` either: work memory (`wram`, `iwram`, `hram`).</summary>
    public IReadOnlyList<string>? Domains { get; init; }

    /// <summary>Parts of memory to look through. With the domains up to 4 MiB.</summary>
    public IReadOnlyList<SearchRange>? Ranges { get; init; }

    /// <summary>How many of the last passes are remembered, 1 to 64; 4 unless given.</summary>
    public int? Keep { get; init; }

    /// <summary>The plan that it is, or what is wrong with it.</summary>
    internal SearchPlan? Plan(out string? wrong)
    {
        wrong = this switch
        {
            { Alignment: not (null or 1 or 2 or 4) } => "alignment is 1, 2 or 4.",
            { Keep: < 1 or > SearchPlan.MostKept } => $"keep is 1 to {SearchPlan.MostKept}.",
            _ when Domains?.Any(id => id is null) == true => "domains is a list of names, such as [\"wram\"].",
            _ when Ranges?.Any(range => range is not { Length: > 0 }) == true => "Each of ranges has a location and a length of 1 or more.",
            _ => null,
        };
        return wrong is not null ? null : new SearchPlan(
            new SearchForm(Type, Endian, Alignment ?? Type.Bytes()),
            Domains ?? [],
            [.. (Ranges ?? []).Select(range => new MemoryRange(range.Location, range.Length, null))],
            Keep ?? SearchPlan.UsuallyKept);
    }
}
