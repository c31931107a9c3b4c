using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Api.Search;

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
            { Keep: < 1 or > SearchPlan.MaxKept } => $"keep is 1 to {SearchPlan.MaxKept}.",
            _ when Domains?.Any(id => id is null) == true => "domains is a list of names, such as [\"wram\"].",
            _ when Ranges?.Any(range => range is not { Length: > 0 }) == true => "Each of ranges has a location and a length of 1 or more.",
            _ => null,
        };
        return wrong is not null ? null : new SearchPlan(
            new SearchValueType(Type, Endian, Alignment ?? Type.Bytes()),
            Domains ?? [],
            [.. (Ranges ?? []).Select(range => new MemoryRange(range.Location, range.Length, null))],
            Keep ?? SearchPlan.UsuallyKept);
    }
}

/// <summary>A part of memory.</summary>
public sealed record SearchRange
{
    /// <summary>Where it starts.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>How many bytes.</summary>
    public required long Length { get; init; }
}

/// <summary>What must hold for a place to stay.</summary>
public record RefineBody
{
    /// <summary>The most frames of one request.</summary>
    internal const int MaxFrames = 600;

    /// <summary>How it is compared: eq, ne, lt, le, gt, ge, between, changed, unchanged, increased or decreased.</summary>
    public required SearchComparison Is { get; init; }

    /// <summary>With what: a value, the last pass, or the first one. `value` unless given; for changed, unchanged, increased and decreased `last`.</summary>
    public SearchAgainst Against { get; init; }

    /// <summary>The value. Against an earlier pass it is the difference from it (which wraps around as the number does): allowed for eq, ne, between,
    /// increased and decreased.</summary>
    public long? Value { get; init; }

    /// <summary>The other end of between, included.</summary>
    public long? To { get; init; }

    /// <summary>In how many frames it must hold, 1 to 600, each later than the one before; 1 unless given. With `last`, each frame is compared with
    /// the one before.</summary>
    public int? Frames { get; init; }

    /// <summary>The test that it is.</summary>
    internal SearchTest Test => new(Is, Is >= SearchComparison.Changed && Against == SearchAgainst.Value ? SearchAgainst.Last : Against, Value, To);
}

/// <summary>Names a search.</summary>
/// <param name="Search">Its id.</param>
public sealed record SearchName([property: JsonRequired] string Search);

/// <summary>What must hold for a place of a search to stay.</summary>
public sealed record RefineRequest : RefineBody
{
    /// <summary>An empty one, for JSON.</summary>
    [JsonConstructor]
    public RefineRequest()
    {
    }

    /// <summary>The test of a search.</summary>
    [SetsRequiredMembers]
    public RefineRequest(RefineBody test, string search)
        : base(test) => Search = search;

    /// <summary>The id of the search.</summary>
    public required string Search { get; init; }
}

/// <summary>A request for the remaining candidates.</summary>
public sealed record MatchesRequest
{
    /// <summary>The id of the search.</summary>
    public required string Search { get; init; }

    /// <summary>How many to leave out.</summary>
    public int Offset { get; init; }

    /// <summary>The most to answer.</summary>
    public int Limit { get; init; } = Page.First.Limit;
}

/// <summary>A search.</summary>
/// <param name="Frame">The script's frame count in the last pass.</param>
/// <param name="Epoch">The epoch it began in; it cannot continue in another one: eight hex digits.</param>
/// <param name="Id">Its name in paths.</param>
/// <param name="Type">What the number is.</param>
/// <param name="Endian">Which byte comes first.</param>
/// <param name="Alignment">Where a number may start.</param>
/// <param name="Ranges">The ranges of memory that it covers.</param>
/// <param name="Passes">How often memory was read, including at the start.</param>
/// <param name="Count">How many places are left.</param>
/// <param name="Memory">How many bytes it keeps in the gateway.</param>
public sealed record SearchAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    string Id,
    NumberType Type,
    Endian Endian,
    int Alignment,
    IReadOnlyList<SearchRange> Ranges,
    long Passes,
    int Count,
    long Memory)
{
    /// <summary>The state of a search.</summary>
    internal static SearchAnswer Of(RamSearch search)
    {
        var (form, state) = (search.ValueType, search.State);
        SearchRange[] ranges = [.. search.Ranges.Select(range => new SearchRange { Location = range.Location, Length = range.Length })];
        return new SearchAnswer(
            state.Frame, search.Epoch, search.Id, form.Type, form.Endian, form.Alignment, ranges, state.Passes, state.Count, search.Memory);
    }
}

/// <summary>The searches of an emulator.</summary>
/// <param name="Searches">Each of them.</param>
/// <param name="Memory">How many bytes the searches of all emulators keep.</param>
/// <param name="MaxMemory">How many they may keep (the setting `Bridge:Search:MaxMemory`).</param>
public sealed record SearchesAnswer(IReadOnlyList<SearchAnswer> Searches, long Memory, long MaxMemory);

/// <summary>Some of the places that are left.</summary>
/// <param name="Frame">The script's frame count in the last pass.</param>
/// <param name="Epoch">The epoch the search began in: eight hex digits.</param>
/// <param name="Count">How many are left in all.</param>
/// <param name="Next">The `offset` of the next page, if there is one.</param>
/// <param name="Matches">The places, in the order of the ranges and of addresses.</param>
public sealed record MatchesAnswer(
    long Frame,
    [property: JsonConverter(typeof(EpochConverter))] uint Epoch,
    int Count,
    int? Next,
    IReadOnlyList<MatchAnswer> Matches);

/// <summary>A candidate of the search.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">Its value in the last pass.</param>
/// <param name="First">Its value when the search began.</param>
/// <param name="History">Its values in the last passes, oldest first; at most `keep` of them.</param>
public readonly record struct MatchAnswer(
    [property: JsonConverter(typeof(LocationConverter))] Location Location, long Value, long First, IReadOnlyList<SightingAnswer> History)
{
    /// <summary>The answer that a match is.</summary>
    internal static MatchAnswer Of(SearchMatch match) => new(
        match.Location, match.History[^1].Value, match.First, [.. match.History.Select(seen => new SightingAnswer(seen.Frame, seen.Value))]);
}

/// <summary>What a number was in a pass.</summary>
/// <param name="Frame">The script's frame count then.</param>
/// <param name="Value">The number.</param>
public readonly record struct SightingAnswer(long Frame, long Value);

/// <summary>How a pass compares, in JSON: <c>"increased"</c>.</summary>
public sealed class SearchComparisonConverter() : JsonStringEnumConverter<SearchComparison>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);

/// <summary>What a pass compares with, in JSON: <c>"last"</c>.</summary>
public sealed class SearchAgainstConverter() : JsonStringEnumConverter<SearchAgainst>(JsonNamingPolicy.CamelCase, allowIntegerValues: false);
