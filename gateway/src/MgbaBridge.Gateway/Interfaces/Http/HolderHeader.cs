using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>The header that names the holder of keys and leases; HTTP callers share connections to the script.</summary>
internal static class HolderHeader
{
    /// <summary>The name of the header.</summary>
    public const string Name = "Mgba-Holder";

    /// <summary>What the header may say.</summary>
    public static string ExpectedFormat { get; } = $"{Name} has to be {Holder.ExpectedFormat}.";

    /// <summary>The holder that the caller names, or the one that all share who name none. False if the name cannot be one.</summary>
    public static bool TryOptions(HttpContext http, out RequestOptions options)
    {
        var holder = Holder.Http;
        if (http.Request.Headers.TryGetValue(Name, out var name) && !Holder.TryCreate(name.ToString(), out holder))
        {
            options = default;
            return false;
        }

        var credential = http.Credential();
        options = new RequestOptions { Holder = holder, Owner = credential?.Owner, Credential = credential?.Id };
        return true;
    }
}
