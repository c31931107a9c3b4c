namespace MgbaBridge.Fleet.Engines;

/// <summary>How an engine starts this program as a host: the command, and the settings that it passes on in the environment.</summary>
/// <param name="Command">The program and its arguments.</param>
/// <param name="Environment">Variables with settings.</param>
public sealed record NodeProgram(IReadOnlyList<string> Command, IReadOnlyDictionary<string, string?> Environment)
{
    private const string Database = "Bridge__Fleet__Database";
    private const string HostDatabase = "Bridge__Fleet__HostDatabase";

    /// <summary>This program, with the settings below <c>Bridge</c> that hosts need, as they are set here.</summary>
    /// <param name="configured">The program of <c>Fleet:NodeProgram</c>, or null for this one.</param>
    /// <param name="settings">The settings, by their names below <c>Bridge</c>.</param>
    public static NodeProgram Of(string? configured, IEnumerable<KeyValuePair<string, string?>> settings)
    {
        var program = string.IsNullOrEmpty(configured) ? System.Environment.ProcessPath ?? "mgba-bridge" : configured;
        string[] command = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [program, Path.Combine(AppContext.BaseDirectory, "mgba-bridge.dll"), "node"] : [program, "node"];
        var environment = settings.Where(setting => IsForHosts(setting.Key))
            .ToDictionary(setting => $"Bridge__{setting.Key.Replace(":", "__", StringComparison.Ordinal)}", setting => setting.Value, StringComparer.OrdinalIgnoreCase);
        if (environment.Remove(HostDatabase, out var database) && !string.IsNullOrEmpty(database))
        {
            environment[Database] = database;
        }

        return new NodeProgram(command, environment);
    }

    // games that the gateway itself starts are not for hosts
    private static bool IsForHosts(string name) =>
        name.StartsWith("Fleet:", StringComparison.OrdinalIgnoreCase)
        || name.StartsWith("Transport:", StringComparison.OrdinalIgnoreCase)
        || (name.StartsWith("Owned:", StringComparison.OrdinalIgnoreCase) && !name.StartsWith("Owned:Roms:", StringComparison.OrdinalIgnoreCase) && !name.StartsWith("Owned:ScriptPort", StringComparison.OrdinalIgnoreCase));
}
