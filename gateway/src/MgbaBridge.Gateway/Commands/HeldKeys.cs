namespace MgbaBridge.Gateway.Commands;

/// <summary>What one holder keeps down.</summary>
/// <param name="Holder">Whose levels they are.</param>
/// <param name="Keys">The keys.</param>
public readonly record struct HeldKeys(string Holder, KeySet Keys);
