using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/console</c>: lines in mGBA's Scripting window.</summary>
internal static class ConsolePaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map("/console/log", "Writes a line to mGBA's console.", Lines(ConsoleLevel.Log));
        paths.Map("/console/warn", "Writes a warning to mGBA's console.", Lines(ConsoleLevel.Warn));
        paths.Map("/console/error", "Writes an error to mGBA's console.", Lines(ConsoleLevel.Error));
    }

    private static Parameters<WriteConsole> Lines(ConsoleLevel level) => Parameters.Of(QueryParameters.Message, text => new WriteConsole(level, text));
}

/// <summary><c>/coreadapter</c>: what concerns the game as a whole.</summary>
internal static class CoreAdapterPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map("/coreadapter/reset", "Presses the reset button.", Parameters.Always(new ResetGame()));
        paths.Map(
            HttpMethods.Get, "/coreadapter/memory", "The ids of the game's memory domains, with commas between.",
            new ListDomains(), reply => paths.Dialect.Domains(ListDomains.Parse(reply)), "cart2,wram,cart0,oam,iwram,bios,vram,io,palette,cart1");
    }
}

/// <summary><c>/mgba-http/extension</c>: what mGBA-http adds to mGBA.</summary>
internal static class ExtensionPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths) => paths.Map(
        HttpMethods.Post, "/mgba-http/extension/loadfile", "Puts another ROM in place of this one and starts it.",
        Parameters.Of(QueryParameters.Path, static path => new LoadRom(path, Reset: true)), _ => paths.Dialect.Loaded(), "true");
}
