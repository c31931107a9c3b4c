using System.Reflection;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;

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
        var options = new EmulatorOptions { Fps = 0.5, Patch = "a b.ips", Cheats = "c.cht", State = "s.ss", Paused = true, Watch = true, Config = ["gb.model=CGB", "mute=1"], Gdb = 2345, History = 64 };
        Assert.Equal(["--patch", "a b.ips", "--cheats", "c.cht", "--fps", "0.5", "--paused", "--config=gb.model=CGB", "--config=mute=1", "--gdb", "2345", "--history", "64"], options.Arguments);
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
    public async Task Values_ThatAnOptionMayHave_AreThoseThatTheProgramTakes()
    {
        (string Option, string[] Values)[] rows =
        [
            ("saveType", ["none", "SRAM", "eeprom512", "", "flash"]),
            ("model", ["cgb", "SGB2", "NDS"]),
            ("mbc", ["mbc3-rtc", "MBC7", "mbc4"]),
            ("hardware", ["none", "NONE", "rtc", "RTC,Light", "e-reader,gb-player", "rtc,rtc", "", ",", "rtc,", "rtc, light", "none,rtc", "sonar"]),
            ("idleLoop", ["none", "None", "0x02000000", "0x08000d3C", "0xDFFFFFE", "0x01FFFFFE", "0x0E000000", "0x08000001", "0X08000000", "0x008000000", "08000000", "0x", "0x-8000000", ""]),
            ("palette", [.. OptionFormat.Palettes, "brown", "gbc dark brown", "GBC Reverse", "SGB 4-I", "Brown ↑", "GBC", "000000,111111,222222,aBcDeF", "000000", string.Join(',', Enumerable.Repeat("00FF00", 12)),
                string.Join(',', Enumerable.Repeat("00FF00", 13)), "000000,111111,222222,33333", "000000,111111,222222,3333333", "000000,111111,222222,33333G", "000000,111111,222222,", ""]),
            ("clock", ["host", "host+3600", "host-86400", "host+", "host+x", "host+-1", "host+9999999999", "host+99999999999", "host3600", "fixed:2000-01-01T00:00", "fixed:2099-12-31T23:59:59",
                "emulated:2026-02-28T12:00:30", "2028-02-29T12:00", "2026-02-29T12:00", "emulated:1999-12-31T23:59", "fixed:2100-01-01T00:00", "fixed:2026-01-01", "fixed:2026-01-01T24:00", "fixed:2026-01-01T12:00Z",
                "fixed:2026-01-01 12:00", "fixed", "fixed:", "emulated", "Host", " host", ""]),
        ];
        foreach (var (name, values) in rows)
        {
            var option = EmulatorOption.All.OfType<EmulatorOption<string?>>().Single(option => option.Name == name);
            foreach (var value in values)
            {
                var (code, output) = await EmulatorProcess.RunAsync(Repository.File(OwnedGateway.Program), [.. option.Headless(value), "--help"], TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
                Assert.True(code is 0 or 2, output);
                Assert.True((option.Error(option.With(new EmulatorOptions(), value)) is null) == (code == 0), $"{name}: \"{value}\"");
            }
        }
    }

    [Fact]
    public void RunArguments_AreThoseThatRunTakes() => Assert.Equal(
        ["--patch \"a b.ips\"", "--fps 60", "--paused"], new EmulatorOptions { Patch = "a b.ips", Fps = 60, Paused = true, Config = ["gb.model=CGB"] }.RunArguments);
}
