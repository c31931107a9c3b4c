namespace MgbaBridge.Gateway.Search;

/// <summary>What a number was in a frame.</summary>
/// <param name="Frame">The script's frame count.</param>
/// <param name="Value">The number.</param>
public readonly record struct SearchSighting(long Frame, long Value);
