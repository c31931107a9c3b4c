namespace MgbaBridge.Gateway.Security;

/// <summary>What a caller may do. Each role includes the ones before it.</summary>
public enum Role
{
    /// <summary>Nothing: the caller sent no valid token.</summary>
    None,

    /// <summary>Reads.</summary>
    Viewer,

    /// <summary>Presses keys, waits, takes the lease, and the rest of what access <c>play</c> is required for.</summary>
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
        ["player"] = Role.Player,
        ["owner"] = Role.Owner,
    };

    /// <summary>The name of a role.</summary>
    public static string Name(this Role role) => role switch
    {
        Role.Viewer => "viewer",
        Role.Player => "player",
        Role.Owner => "owner",
        _ => "none",
    };
}
