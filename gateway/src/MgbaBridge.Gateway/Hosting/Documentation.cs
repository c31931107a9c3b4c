namespace MgbaBridge.Gateway.Hosting;

/// <summary>Where the documentation of this program is: packages contain it.</summary>
internal static class Documentation
{
    private const string Folder = "docs";
    private const string Page = "command-line.md";

    /// <summary>Where the folder <c>docs</c> is, in words.</summary>
    public static string Place => Candidates().FirstOrDefault(static folder => File.Exists(Path.Combine(folder, Folder, Page))) is { } found
        ? $"{Folder}/ is in {Path.TrimEndingDirectorySeparator(Path.GetFullPath(found))}."
        : $"{Folder}/ is in the archives of the release.";

    // beside the program, as the Debian package has it, or in a checkout
    private static IEnumerable<string> Candidates()
    {
        yield return AppContext.BaseDirectory;
        yield return Path.Combine(AppContext.BaseDirectory, "../share/doc/mgba-bridge");
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory).Parent; folder is not null; folder = folder.Parent)
        {
            yield return folder.FullName;
        }
    }
}
