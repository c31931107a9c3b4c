using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/console</c>: lines in mGBA's Scripting window.</summary>
internal static class ConsolePaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map(
            HttpMethods.Post, "/console/log", "Writes a line to mGBA's console.",
            QueryParameters.Message, static text => new WriteConsole(ConsoleLevel.Log, text), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/console/warn", "Writes a warning to mGBA's console.",
            QueryParameters.Message, static text => new WriteConsole(ConsoleLevel.Warn, text), PlainText.Nothing);
        paths.Map(
            HttpMethods.Post, "/console/error", "Writes an error to mGBA's console.",
            QueryParameters.Message, static text => new WriteConsole(ConsoleLevel.Error, text), PlainText.Nothing);
    }
}

/// <summary><c>/coreadapter</c>: what concerns the game as a whole.</summary>
internal static class CoreAdapterPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map(HttpMethods.Post, "/coreadapter/reset", "Presses the reset button.", new ResetGame(), PlainText.Nothing);
        paths.Map(
            HttpMethods.Get, "/coreadapter/memory", "The ids of the game's memory domains, with commas between.",
            new ListDomains(), paths.Dialect.Domains(),
            "cart2,wram,cart0,oam,iwram,bios,vram,io,palette,cart1");
    }
}

/// <summary><c>/mgba-http/extension</c>: what mGBA-http adds to mGBA.</summary>
internal static class ExtensionPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths) => paths.Map(
        HttpMethods.Post, "/mgba-http/extension/loadfile", "Puts another ROM in place of this one and starts it.",
        QueryParameters.Path, static path => new LoadRom(path, Reset: true), paths.Dialect.Loaded(), "true");
}
