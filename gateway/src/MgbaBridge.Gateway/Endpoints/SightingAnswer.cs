namespace MgbaBridge.Gateway.Endpoints;

/// <summary>What a number was in a pass.</summary>
/// <param name="Frame">The script's frame count then.</param>
/// <param name="Value">The number.</param>
public readonly record struct SightingAnswer(long Frame, long Value);
