using MgbaBridge.Gateway.Testing;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class SelfTestLogTests
{
    [Fact]
    public void Hydra_TestsHaveNamesVerdictsAndTheirLines()
    {
        var (log, results) = Read(
            "GBA Debug: before",
            "GBA Debug: :NFire burns",
            "GBA Debug: a line",
            "GBA Debug: :P\e[32mPASS\e[0m",
            "GBA Debug: :NWater",
            "GBA Debug: :KKNOWN_FAILING",
            "GBA Debug: :NGrass",
            "GBA Debug: :L1234:grass.c",
            "GBA Debug: :FFAIL: expected 1");

        Assert.Equal(
            [
                (1, "Fire burns", SelfTestVerdict.Passed, "PASS"),
                (2, "Water", SelfTestVerdict.Skipped, "KNOWN_FAILING"),
                (3, "Grass", SelfTestVerdict.Failed, "FAIL: expected 1"),
            ],
            results.Select(static result => (result.Test.Number, result.Test.Name, result.Verdict, result.Reason)));
        Assert.Equal(["GBA Debug: a line", "GBA Debug: :PPASS"], results[0].Lines);
        Assert.Null(log.Passed);
    }

    [Fact]
    public void Agb_TestsEndWithTheirWord_AndTheRunWithASentence()
    {
        var (log, results) = Read(
            "GBA Debug: Running 2 tests",
            "GBA Debug: game::tests::jumps...",
            "GBA Debug: [ok]",
            "GBA Debug: game::tests::falls...",
            "GBA Debug: [failed]",
            "GBA Debug: panicked at src/lib.rs:5");

        Assert.Equal(
            [("game::tests::jumps", SelfTestVerdict.Passed, "[ok]"), ("game::tests::falls", SelfTestVerdict.Failed, "panicked at src/lib.rs:5")],
            results.Select(static result => (result.Test.Name, result.Verdict, result.Reason)));
        Assert.False(log.Passed);
        Assert.True(Read("GBA Debug: Tests finished successfully").Log.Passed);
    }

    [Theory]
    [InlineData("GB Serial I/O: cpu_instrs Passed all tests", true)]
    [InlineData("GB Serial I/O: Failed #2", false)]
    [InlineData("GB Serial I/O: 01:ok", null)]
    [InlineData("GBA Debug: Passed", null)]
    [InlineData("GBA Debug: [ok]", null)]
    public void Words_OfTheLinkPort_EndTheRun(string line, bool? passed)
    {
        var (log, results) = Read(line);

        Assert.Equal(passed, log.Passed);
        Assert.Empty(results);
    }

    [Fact]
    public void Lines_OfATest_AreTheNewest()
    {
        var (log, _) = Read([.. Enumerable.Range(0, 10_001).Select(static number => $"GBA Debug: {number}")]);

        Assert.Equal(("GBA Debug: 1", 10_000), (log.Lines.First(), log.Lines.Count));
        Assert.Equal("rom.gba", log.Test.Name);
    }

    private static (SelfTestLog Log, List<SelfTestResult> Results) Read(params string[] lines)
    {
        var log = new SelfTestLog("roms/rom.gba");
        return (log, [.. lines.Select(log.Read).OfType<SelfTestResult>()]);
    }
}
