namespace MgbaBridge.Gateway.Hosting;

/// <summary>This program as it can be typed in a shell.</summary>
internal static class TypedProgram
{
    private const string Own = "mgba-bridge";

    /// <summary>Its name, with its folder where PATH does not find it, and with <c>dotnet</c> where it has no program of its own, as in the portable archive.</summary>
    public static string Name
    {
        get
        {
            var file = OperatingSystem.IsWindows() ? $"{Own}.exe" : Own;
            var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator);
            var (path, library) = (Path.Combine(AppContext.BaseDirectory, file), Path.Combine(AppContext.BaseDirectory, $"{Own}.dll"));
            return folders.Any(folder => IsProgram(Path.Combine(folder, file))) ? Own
                : IsProgram(path) ? Quoted(path)
                : File.Exists(library) ? $"dotnet {Quoted(library)}"
                : Own;
        }
    }

    /// <summary>A command of it.</summary>
    public static string Command(string arguments) => $"{Name} {arguments}";

    /// <summary>A path as it can be typed.</summary>
    public static string Quoted(string path) => path.Contains(' ', StringComparison.Ordinal) ? $"\"{path}\"" : path;

    private static bool IsProgram(string path) => File.Exists(path) && (OperatingSystem.IsWindows() || File.GetUnixFileMode(path).HasFlag(UnixFileMode.UserExecute));
}
