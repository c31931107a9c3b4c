using System.Reflection;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class EmulatorOptionTests
{
    [Fact]
    public void Properties_OfTheOptions_AreDeclared() => Assert.Equal(
        typeof(EmulatorOptions).GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(property => property.Name).Order(),
        EmulatorOption.All.Select(option => option.Setting).Order());

    [Fact]
    public void Declarations_OfTheOptions_HaveWhatTheirStartersSay()
    {
        Assert.All(EmulatorOption.Of(EmulatorStarter.Run), option => Assert.True(option.Help.Length > 0 && SettingsSchema.All.ContainsKey($"Owned:{option.Setting}"), option.Name));
        Assert.All(EmulatorOption.Of(EmulatorStarter.Operation).Concat(EmulatorOption.Of(EmulatorStarter.Fleet)), option => Assert.EndsWith(".", option.Sentence, StringComparison.Ordinal));
        Assert.All(EmulatorOption.All.Where(option => option.File is null), option => Assert.False(SettingsSchema.All.ContainsKey($"Owned:{option.Setting}") && !option.Starters.HasFlag(EmulatorStarter.Run), option.Name));
    }

    [Fact]
    public void Arguments_AreThoseOfTheProgram()
    {
        var options = new EmulatorOptions { Fps = 0.5, Patch = "a b.ips", Cheats = "c.cht", State = "s.ss", Paused = true, Watch = true, Config = ["gb.model=CGB", "mute=1"] };
        Assert.Equal(["--patch", "a b.ips", "--cheats", "c.cht", "--fps", "0.5", "--paused", "--config=gb.model=CGB", "--config=mute=1"], options.Arguments);
        Assert.Equal(["--savestate", "s.ss"], (options with { Window = true }).Arguments);
        Assert.Empty(new EmulatorOptions().Arguments);
    }

    [Fact]
    public void Arguments_OfTheMachine_AreThoseOfTheProgram()
    {
        var options = new EmulatorOptions
        {
            SaveType = "flash1m",
            Hardware = "rtc,tilt",
            IdleLoop = "0x08000D3C",
            Model = "AGB",
            Mbc = "mbc3-rtc",
            Palette = "FFFFFF,AAAAAA,555555,000000",
            Bios = "b.bin",
            SkipBios = true,
            Clock = "host-3600",
        };
        Assert.Equal(
            ["--save-type", "flash1m", "--hardware", "rtc,tilt", "--idle-loop", "0x08000D3C", "--model", "AGB", "--mbc", "mbc3-rtc", "--palette", "FFFFFF,AAAAAA,555555,000000",
                "--bios", "b.bin", "--skip-bios", "--clock", "host-3600"],
            options.Arguments);
        Assert.Equal(9, (options with { Window = true }).NotInWindow(EmulatorStarter.Operation).Count());
        Assert.Equal(Path.GetFullPath("b.bin"), options.WithFullPaths().Bios);
        Assert.Equal(options with { Fps = 60 }, SessionOptions.Of(60, SessionOptions.TextsOf(options with { Fps = 30 })));
        Assert.Equal(new EmulatorOptions(), SessionOptions.Of(null, ["ofALaterProgram=1"]));
    }

    [Fact]
    public void RunArguments_AreThoseThatRunTakes() => Assert.Equal(
        ["--patch \"a b.ips\"", "--fps 60", "--paused"], new EmulatorOptions { Patch = "a b.ips", Fps = 60, Paused = true, Config = ["gb.model=CGB"] }.RunArguments);
}
