using MgbaBridge.Client.Validation;

namespace MgbaBridge.Gateway.Security;

/// <summary>The name of a role: what the clients of a protocol without tokens may do.</summary>
internal sealed class RoleNameAttribute : SettingAttribute
{
    public override string Limits => $"one of {string.Join(", ", Roles.ByName.Keys)}";

    public override bool IsValid(object? value) => value is string name && Roles.ByName.ContainsKey(name);
}
