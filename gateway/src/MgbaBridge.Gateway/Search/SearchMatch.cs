using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Search;

/// <summary>A place that may be what is looked for.</summary>
/// <param name="Location">Where.</param>
/// <param name="First">What it was when the search began.</param>
/// <param name="History">What it was in the last passes, the oldest first.</param>
public sealed record SearchMatch(Location Location, long First, IReadOnlyList<SearchSighting> History);
