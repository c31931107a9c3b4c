using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Search;

/// <summary>What became of a search that was asked for: exactly one of these.</summary>
/// <param name="Search">It has begun.</param>
/// <param name="Failure">The emulator could not be asked.</param>
/// <param name="Wrong">What is wrong with the request.</param>
/// <param name="Full">Why there is no room.</param>
public readonly record struct SearchOutcome(RamSearch? Search, FailureReport? Failure = null, string? Wrong = null, string? Full = null);
