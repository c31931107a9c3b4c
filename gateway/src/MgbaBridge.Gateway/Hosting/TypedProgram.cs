namespace MgbaBridge.Gateway.Hosting;

/// <summary>This program as it can be typed in a shell.</summary>
internal static class TypedProgram
{
    private const string Own = "mgba-bridge";

    /// <summary>Its name, with its folder where PATH does not find it.</summary>
    public static string Name
    {
        get
        {
            var file = OperatingSystem.IsWindows() ? $"{Own}.exe" : Own;
            var path = Path.Combine(AppContext.BaseDirectory, file);
            var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
            return !File.Exists(path) || folders.Any(folder => File.Exists(Path.Combine(folder, file))) ? Own : path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;
        }
    }

    /// <summary>A command of it.</summary>
    public static string Command(string arguments) => $"{Name} {arguments}";
}
