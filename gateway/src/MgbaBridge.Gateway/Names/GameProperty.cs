namespace MgbaBridge.Gateway.Names;

/// <summary>A value of a game with a name.</summary>
/// <param name="Name">The name.</param>
/// <param name="At">Where it is, or where the first pointer of its chain is.</param>
/// <param name="Chain">For each pointer to be followed, what is added to it. Empty: none is.</param>
/// <param name="Form">What it is.</param>
public sealed record GameProperty(string Name, Place At, IReadOnlyList<long> Chain, IValueForm Form);
