namespace MgbaBridge.Gateway.Commands;

/// <summary>Which connections carry a command, so that a long transfer never delays a small read.</summary>
public enum Lane
{
    /// <summary>Small requests with small replies.</summary>
    Interactive,

    /// <summary>Large tails in either direction.</summary>
    Bulk,

    /// <summary>Requests that take frames.</summary>
    Push,
}
