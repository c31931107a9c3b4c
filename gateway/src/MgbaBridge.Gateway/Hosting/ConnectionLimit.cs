using System.Globalization;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>
/// How many connections of callers the process has descriptors for. A process that has none left cannot load what it has not used yet, and .NET may end it:
/// so connections are closed before that.
/// </summary>
internal static class ConnectionLimit
{
    /// <summary>Descriptors for everything else: the runtime, files, connections to emulators, and their processes.</summary>
    public const int Reserve = 384;

    private const int Least = 16;
    private const string Limits = "/proc/self/limits";
    private const string Line = "Max open files";

    /// <summary>The limit of connections, and the same again of WebSockets: the setting, or what the descriptors suffice for.</summary>
    public static int Of(int setting, long? openFiles) => openFiles is { } limit ? (int)Math.Clamp((limit - Reserve) / 2, Least, setting) : setting;

    /// <summary>How many files and connections the process may have open; null where that is not known.</summary>
    public static long? OpenFiles() => File.Exists(Limits) ? OpenFiles(File.ReadLines(Limits)) : null;

    /// <summary>The soft limit among the lines of the file, which .NET has raised to the hard one; null without a limit.</summary>
    public static long? OpenFiles(IEnumerable<string> lines) => lines.FirstOrDefault(line => line.StartsWith(Line, StringComparison.Ordinal)) is { } found
        && long.TryParse(found[Line.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)[0], NumberStyles.None, CultureInfo.InvariantCulture, out var limit) ? limit : null;
}
