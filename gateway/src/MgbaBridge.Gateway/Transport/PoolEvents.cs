namespace MgbaBridge.Gateway.Transport;

/// <summary>What the owner of a pool wants to know.</summary>
/// <param name="StateChanged">How the pool stands with its script has changed.</param>
/// <param name="Announced">The script said something unasked.</param>
public sealed record PoolEvents(Action<LinkState> StateChanged, Action<Announcement> Announced);
