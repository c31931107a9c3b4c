namespace MgbaBridge.Gateway.Search;

/// <summary>How a search stands.</summary>
/// <param name="Passes">How often memory was looked at.</param>
/// <param name="Frame">In which frame last.</param>
/// <param name="Count">How many places are left.</param>
public readonly record struct SearchState(long Passes, long Frame, int Count);
