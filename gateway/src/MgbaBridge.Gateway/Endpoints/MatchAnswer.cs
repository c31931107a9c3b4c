using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Search;

namespace MgbaBridge.Gateway.Endpoints;

/// <summary>A place that may be what is looked for.</summary>
/// <param name="Location">Where.</param>
/// <param name="Value">What it was in the last pass.</param>
/// <param name="First">What it was when the search began.</param>
/// <param name="History">What it was in the last passes, the oldest first; as many as `keep` said.</param>
public readonly record struct MatchAnswer(
    [property: JsonConverter(typeof(LocationConverter))] Location Location, long Value, long First, IReadOnlyList<SightingAnswer> History)
{
    /// <summary>The answer that a match is.</summary>
    internal static MatchAnswer Of(SearchMatch match) => new(
        match.Location, match.History[^1].Value, match.First, [.. match.History.Select(seen => new SightingAnswer(seen.Frame, seen.Value))]);
}
