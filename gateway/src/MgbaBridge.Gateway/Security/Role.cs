namespace MgbaBridge.Gateway.Security;

/// <summary>What a caller may do. Each role includes the ones before it.</summary>
public enum Role
{
    /// <summary>Nothing: the caller sent no valid token.</summary>
    None,

    /// <summary>Reads.</summary>
    Viewer,

    /// <summary>Presses keys, waits, and the rest of what access <c>play</c> is required for.</summary>
    Guest,

    /// <summary>Takes the lease, too, which stops the game for all others.</summary>
    Player,

    /// <summary>Everything.</summary>
    Owner,
}

/// <summary>The names of roles in settings and messages.</summary>
internal static class Roles
{
    /// <summary>The roles that a token can have, by name.</summary>
    public static IReadOnlyDictionary<string, Role> ByName { get; } = new Dictionary<string, Role>(StringComparer.OrdinalIgnoreCase)
    {
        ["viewer"] = Role.Viewer,
        ["guest"] = Role.Guest,
        ["player"] = Role.Player,
        ["owner"] = Role.Owner,
    };

    /// <summary>The name of a role.</summary>
    public static string Name(this Role role) => role switch
    {
        Role.Viewer => "viewer",
        Role.Guest => "guest",
        Role.Player => "player",
        Role.Owner => "owner",
        _ => "none",
    };
}
