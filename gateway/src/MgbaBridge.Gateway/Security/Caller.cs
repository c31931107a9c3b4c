namespace MgbaBridge.Gateway.Security;

/// <summary>Who sends a request: what it may do, and whose sessions it sees.</summary>
/// <param name="Role">What it may do.</param>
/// <param name="Owner">The owner that its token belongs to, whose sessions of the fleet are all that it sees; null for the operator, who sees everything.</param>
public readonly record struct Caller(Role Role, string? Owner = null)
{
    /// <summary>The beginning of the names of what belongs to the owner; empty for the operator.</summary>
    public string Prefix => Owner is null ? "" : $"{Owner}_";

    /// <summary>The name under which the gateway keeps what the caller calls so: names of owners are beside each other.</summary>
    public string Kept(string name) => Prefix + name;

    /// <summary>What the caller calls what the gateway keeps under a name; null when it is another's.</summary>
    public string? Shown(string kept) => kept.StartsWith(Prefix, StringComparison.Ordinal) ? kept[Prefix.Length..] : null;
}
