using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Compatibility;

/// <summary><c>/mgba-http/extension</c>: what mGBA-http adds to mGBA.</summary>
internal static class ExtensionPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(CompatiblePaths paths) => paths.Map(
        "POST", "/mgba-http/extension/loadfile", "Puts another ROM in place of this one and starts it.",
        Parameters.Path, static path => new LoadRom(path, Reset: true), paths.Dialect.Loaded(), "true");
}
