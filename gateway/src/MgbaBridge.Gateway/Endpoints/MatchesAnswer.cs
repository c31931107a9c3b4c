using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

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
