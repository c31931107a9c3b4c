namespace MgbaBridge.Engines.Supervision;

/// <summary>The patch and the cheats beside a ROM that mGBA's window applies by itself.</summary>
internal static class FilesBesideRom
{
    private const string Cheats = ".cheats";

    private static readonly string[] Patches = [".bps", ".ups", ".ips"]; // the first one, as in the window

    /// <summary>The patch; null for none.</summary>
    public static string? PatchOf(string rom) => Patches.Select(suffix => Path.ChangeExtension(rom, suffix)).FirstOrDefault(File.Exists);

    /// <summary>The file of cheats; null for none, and for an empty one, as the window leaves them.</summary>
    public static string? CheatsOf(string rom) => Path.ChangeExtension(rom, Cheats) is var file && File.Exists(file) && new FileInfo(file).Length > 0 ? file : null;
}
