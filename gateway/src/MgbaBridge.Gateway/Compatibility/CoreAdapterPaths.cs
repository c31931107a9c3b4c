using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Compatibility;

/// <summary><c>/coreadapter</c>: what concerns the game as a whole.</summary>
internal static class CoreAdapterPaths
{
    /// <summary>Adds them.</summary>
    public static void Map(CompatiblePaths paths)
    {
        paths.Map("POST", "/coreadapter/reset", "Presses the reset button.", new ResetGame(), PlainText.Nothing);
        paths.Map(
            "GET", "/coreadapter/memory", "The ids of the game's memory domains, with commas between.",
            new ListDomains(), paths.Dialect.Domains(),
            "cart2,wram,cart0,oam,iwram,bios,vram,io,palette,cart1");
    }
}
