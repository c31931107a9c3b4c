using MgbaBridge.Client.Commands;

namespace MgbaBridge.Engines.Search;

/// <summary>The outcome of a search request: exactly one of these.</summary>
/// <param name="Search">It has begun.</param>
/// <param name="Failure">The request to the emulator failed.</param>
/// <param name="Wrong">What is wrong with the request.</param>
/// <param name="Full">Why there is not enough memory.</param>
public readonly record struct SearchOutcome(RamSearch? Search, CommandFailure? Failure = null, string? Wrong = null, string? Full = null);

/// <summary>What memory was in one frame.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Bytes">All ranges of the search, one after the other.</param>
internal sealed record SearchPass(long Frame, byte[] Bytes);

/// <summary>A candidate of the search.</summary>
/// <param name="Location">Where.</param>
/// <param name="First">Its value when the search began.</param>
/// <param name="History">What it was in the last passes, the oldest first.</param>
public sealed record SearchMatch(Location Location, long First, IReadOnlyList<SearchObservation> History);

/// <summary>What a number was in a frame.</summary>
/// <param name="Frame">The script's frame count.</param>
/// <param name="Value">The number.</param>
public readonly record struct SearchObservation(long Frame, long Value);

/// <summary>The state of a search.</summary>
/// <param name="Passes">How often memory was looked at.</param>
/// <param name="Frame">In which frame last.</param>
/// <param name="Count">How many places are left.</param>
/// <param name="CanUndo">Whether the last test can be undone.</param>
public readonly record struct SearchState(long Passes, long Frame, int Count, bool CanUndo);

/// <summary>What a search was before its last test.</summary>
/// <param name="Candidates">The places, range by range.</param>
/// <param name="Last">The last pass; its bytes are a copy.</param>
/// <param name="Looks">How often memory had been looked at.</param>
internal sealed record SearchUndo(Candidates[] Candidates, SearchPass Last, long Looks);
