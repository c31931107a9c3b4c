using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Search;
using MgbaBridge.Gateway.Json;

namespace MgbaBridge.Gateway.Operations.Search;

/// <summary>A part of memory.</summary>
public sealed record SearchRange
{
    /// <summary>Where it starts.</summary>
    [JsonConverter(typeof(LocationConverter))]
    public required Location Location { get; init; }

    /// <summary>How many bytes.</summary>
    public required long Length { get; init; }
}

/// <summary>A pass of a search.</summary>
/// <param name="Search">The id of the search.</param>
/// <param name="Test">What must hold for a place to stay.</param>
/// <param name="Frames">In how many frames it must hold.</param>
/// <param name="Past">The first of them, out of the history of the game; null for the present.</param>
public sealed record RefineRequest(string Search, SearchTest Test, int Frames, long? Past)
{
    /// <summary>A pass; what changed is compared with the pass before unless <paramref name="against"/> says otherwise.</summary>
    internal static RefineRequest Of(string search, SearchComparison comparison, SearchAgainst? against, long? value, long? to, int frames, long? past = null) => new(
        search,
        new SearchTest(comparison, comparison >= SearchComparison.Changed && (against ?? SearchAgainst.Value) == SearchAgainst.Value ? SearchAgainst.Last : against ?? SearchAgainst.Value, value, to),
        frames,
        past);
}

/// <summary>A search.</summary>
/// <param name="Frame">The script's frame count in the last pass, or the frame of the past that it looked at.</param>
/// <param name="Epoch">The epoch it began in; it cannot continue in another one: eight hex digits.</param>
/// <param name="Id">Its name in paths.</param>
/// <param name="Type">What the number is.</param>
/// <param name="Endian">Which byte comes first.</param>
/// <param name="Alignment">Where a number may start.</param>
/// <param name="Ranges">The ranges of memory that it covers.</param>
/// <param name="Passes">How often memory was read, including at the start.</param>
/// <param name="Count">How many places are left.</param>
/// <param name="Memory">How many bytes it keeps in the gateway.</param>
/// <param name="CanUndo">Whether `searches.undo` can go back to before the last test.</param>
public sealed record SearchAnswer(
    long Frame,
    Epoch Epoch,
    string Id,
    NumberType Type,
    Endian Endian,
    int Alignment,
    IReadOnlyList<SearchRange> Ranges,
    long Passes,
    int Count,
    long Memory,
    bool CanUndo)
{
    /// <summary>The state of a search.</summary>
    internal static SearchAnswer Of(RamSearch search)
    {
        var (form, state) = (search.ValueType, search.State);
        SearchRange[] ranges = [.. search.Ranges.Select(range => new SearchRange { Location = range.Location, Length = range.Length })];
        return new SearchAnswer(
            state.Frame, search.Epoch, search.Id, form.Type, form.Endian, form.Alignment, ranges, state.Passes, state.Count, search.Memory, state.CanUndo);
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
    Epoch Epoch,
    int Count,
    int? Next,
    IReadOnlyList<MatchAnswer> Matches);

/// <summary>A candidate of the search.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">Its value in the last pass.</param>
/// <param name="First">Its value when the search began.</param>
/// <param name="History">Its values in the last passes, oldest first; at most `keep` of them.</param>
public readonly record struct MatchAnswer(
    [property: JsonConverter(typeof(LocationConverter))] Location Location, long Value, long First, IReadOnlyList<SearchObservationAnswer> History)
{
    /// <summary>The answer that a match is.</summary>
    internal static MatchAnswer Of(SearchMatch match) => new(
        match.Location, match.History[^1].Value, match.First, [.. match.History.Select(seen => new SearchObservationAnswer(seen.Frame, seen.Value))]);
}

/// <summary>What a number was in a pass.</summary>
/// <param name="Frame">The script's frame count then.</param>
/// <param name="Value">The number.</param>
public readonly record struct SearchObservationAnswer(long Frame, long Value);
