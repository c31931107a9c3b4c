namespace MgbaBridge.Gateway.Search;

/// <summary>What memory was in one frame.</summary>
/// <param name="Frame">The frame.</param>
/// <param name="Bytes">All ranges of the search, one after the other.</param>
internal sealed record SearchPass(long Frame, byte[] Bytes);
