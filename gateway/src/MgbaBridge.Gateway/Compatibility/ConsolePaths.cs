using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Compatibility;

/// <summary><c>/console</c>: lines in mGBA's Scripting window.</summary>
internal static class ConsolePaths
{
    /// <summary>Adds them.</summary>
    public static void Map(CompatiblePaths paths)
    {
        paths.Map(
            "POST", "/console/log", "Writes a line to mGBA's console.",
            Parameters.Message, static text => new WriteConsole(ConsoleLevel.Log, text), PlainText.Nothing);
        paths.Map(
            "POST", "/console/warn", "Writes a warning to mGBA's console.",
            Parameters.Message, static text => new WriteConsole(ConsoleLevel.Warn, text), PlainText.Nothing);
        paths.Map(
            "POST", "/console/error", "Writes an error to mGBA's console.",
            Parameters.Message, static text => new WriteConsole(ConsoleLevel.Error, text), PlainText.Nothing);
    }
}
