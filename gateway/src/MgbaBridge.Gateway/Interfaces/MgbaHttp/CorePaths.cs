using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary><c>/core</c>: the game, its clock and its files.</summary>
internal static class CorePaths
{
    /// <summary>Adds them.</summary>
    public static void Map(MgbaHttpPaths paths)
    {
        paths.Map(
            HttpMethods.Get, "/core/getgametitle", "The title in the game's header.",
            new ReadGame(), static reply => MgbaHttpAnswer.OfText(ReadGame.Parse(reply).Title), "POKEMON FIRE");
        paths.Map(
            HttpMethods.Get, "/core/getgamecode", "The code in the game's header, such as AGB-BPRE.",
            new ReadGame(), static reply => MgbaHttpAnswer.OfText(ReadGame.Parse(reply).Code), "AGB-BPRE");
        paths.Map(
            HttpMethods.Get, "/core/platform", "The console: 0 for GBA, 1 for GB.",
            new ReadGame(), static reply => MgbaHttpAnswer.Of(PlatformOf(ReadGame.Parse(reply))), "1");
        paths.Map(
            HttpMethods.Get, "/core/romsize", "The size of the ROM in bytes.",
            new ReadGame(), static reply => MgbaHttpAnswer.Of(ReadGame.Parse(reply).RomSize), "16777216");
        paths.Map(
            HttpMethods.Get, "/core/checksum", "The CRC32 of the ROM.",
            new ReadChecksum(), static reply => MgbaHttpAnswer.Of(ReadChecksum.Parse(reply)), "123456789");
        paths.Map(
            HttpMethods.Get, "/core/framecycles", "CPU cycles in a frame.",
            new ReadGame(), static reply => MgbaHttpAnswer.Of(ReadGame.Parse(reply).FrameCycles), "280896");
        paths.Map(
            HttpMethods.Get, "/core/frequency", "CPU cycles in a second.",
            new ReadGame(), static reply => MgbaHttpAnswer.Of(ReadGame.Parse(reply).Frequency), "16777216");
        paths.Map(
            HttpMethods.Get, "/core/currentframe", "mGBA's frame count, which goes back on reset and load-state.",
            new ReadCoreFrame(), static reply => MgbaHttpAnswer.Of(ReadCoreFrame.Parse(reply)), "12345");
        paths.Map("/core/step", "Runs one CPU instruction.", Parameters.Always(new StepInstruction()));
        paths.Map("/core/runFrame", "Waits for the end of a frame; mGBA-http has it up to 0.7.", Parameters.Always(Wait.ForFrames(1)));
        paths.Map(
            HttpMethods.Post, "/core/loadfile", "Puts another ROM in place of this one and does not reset; /mgba-http/extension/loadfile does.",
            Parameters.Of(QueryParameters.Path, static path => new LoadRom(path, Reset: false)), static _ => MgbaHttpAnswer.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/autoloadsave", "Loads the save file that belongs to the game.",
            new AutoloadSave(), static _ => MgbaHttpAnswer.True, "true");
        paths.Map(
            HttpMethods.Post, "/core/loadsavefile", "Loads another save file.",
            Parameters.Of(QueryParameters.Path, QueryParameters.Temporary, static (path, temporary) => new LoadSave(path, temporary)), static _ => MgbaHttpAnswer.True, "true");
        paths.Map(
            HttpMethods.Get, "/core/readregister", "Reads a CPU register, as a number with a sign.",
            Parameters.Of(QueryParameters.Register, static name => new ReadRegister(name)), reply => paths.Dialect.Register((int)ReadRegister.Parse(reply)), "50363837");
        paths.Map(
            "/core/writeregister", "Writes a CPU register.",
            Parameters.Of(QueryParameters.Register, QueryParameters.Value, static (name, value) => new WriteRegister(name, value)));
    }

    private static long PlatformOf(GameInfo game) => game.Platform switch { "gba" => 0, "gb" => 1, _ => -1 };
}
