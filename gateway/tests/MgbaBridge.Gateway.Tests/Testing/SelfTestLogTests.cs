using MgbaBridge.Gateway.Testing;
using MgbaBridge.Gateway.Tests.Support;

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
            "GBA Debug: :Ltest/grass.c:1234",
            "GBA Debug: grass.c:1240: expected 1",
            "GBA Debug: :FFAIL");

        Assert.Equal(
            [
                (1, "Fire burns", SelfTestVerdict.Passed, "PASS"),
                (2, "Water", SelfTestVerdict.Skipped, "KNOWN_FAILING"),
                (3, "Grass", SelfTestVerdict.Failed, "FAIL: grass.c:1240: expected 1"),
            ],
            results.Select(static result => (result.Test.Number, result.Test.Name, result.Verdict, result.Reason)));
        Assert.Equal(["GBA Debug: a line", "GBA Debug: :PPASS"], results[0].Lines);
        Assert.Equal(("test/grass.c", 1234), (results[2].Test.File, results[2].Test.Line));
        Assert.Equal(("roms/rom.gba", 1), (results[1].Test.File, results[1].Test.Line));
        Assert.Null(log.Passed);
    }

    [Fact]
    public void Hydra_TestWithoutAResult_HasFailed()
    {
        var (log, results) = Read("GBA Debug: :NA", "GBA Debug: :La.c:3", "GBA Debug: :NB", "GBA Debug: :PPASS", "GBA Debug: :NC", "GBA Debug: :Press a key");

        Assert.Equal([(1, "A", SelfTestVerdict.Failed, SelfTestResult.Missing), (2, "B", SelfTestVerdict.Passed, "PASS"), (3, "C", SelfTestVerdict.Passed, "ress a key")], results.Select(static result => (result.Test.Number, result.Test.Name, result.Verdict, result.Reason)));
        Assert.Equal(("a.c", 3), (results[0].Test.File, results[0].Test.Line));
        Assert.False(log.IsInTest);
    }

    [Fact]
    public void Hydra_PartsOfATest_AreOneTest_AndAssumptionsAreNone()
    {
        var (_, results) = Read(
            "GBA Debug: :NASSUMPTIONS: test/burn.c",
            "GBA Debug: :NBurn",
            "GBA Debug: :Lburn.c:3",
            "GBA Debug: a line",
            "GBA Debug: :NBurn 1/2",
            "GBA Debug: :NBurn (2/?)",
            "GBA Debug: :NBurn: (2/2) Toxic",
            "GBA Debug: :NBurn",
            "GBA Debug: :PPASS",
            "GBA Debug: :NBurn",
            "GBA Debug: :NBurn 2/2",
            "GBA Debug: :FFAIL");

        Assert.Equal([("Burn", SelfTestVerdict.Passed), ("Burn 2/2", SelfTestVerdict.Failed)], results.Select(static result => (result.Test.Name, result.Verdict)));
        Assert.Contains("GBA Debug: a line", results[0].Lines);
        Assert.False(Read("GBA Debug: :NASSUMPTIONS: test/last.c").Log.IsInTest);
    }

    [Fact]
    public void Formats_DoNotMix()
    {
        var (hydra, results) = Read("GBA Debug: :NSave test", "GBA Debug: Loading save...", "GBA Debug: [ok]", "GBA Debug: Tests finished successfully", "GBA Debug: :P PASS");
        Assert.Equal([("Save test", "PASS")], results.Select(static result => (result.Test.Name, result.Reason)));
        Assert.Null(hydra.Passed);

        var (agb, others) = Read("GBA Debug: Running 1 tests", "GBA Debug: a::test...", "GBA Debug: Loading...", "GBA Debug: :NB", "GBA Debug: :P", "GBA Debug: [ok]");
        Assert.Equal([("a::test", SelfTestVerdict.Passed)], others.Select(static result => (result.Test.Name, result.Verdict)));
        Assert.True(agb.EndsWithASentence);

        var (none, _) = Read("GBA Debug: Loading...", "GBA Debug: :Press a key");
        Assert.Equal((false, false), (none.IsInTest, none.EndsWithASentence));
    }

    [Fact]
    public void Agb_TestWithoutAResult_IsKnown_AndOneOfAPictureIsSkipped()
    {
        var (log, results) = Read("GBA Debug: Running 2 tests", "GBA Debug: a...", "GBA Debug: image:a.png", "GBA Debug: [ok]", "GBA Debug: b...", "GBA Debug: Tests finished successfully");

        Assert.Equal([("a", SelfTestVerdict.Skipped)], results.Select(static result => (result.Test.Name, result.Verdict)));
        Assert.Equal((true, "b"), (log.IsInTest, log.Test.Name));
    }

    [Fact]
    public void Addresses_HaveTheNamesOfTheElfFile()
    {
        var names = new SelfTestNames(Repository.File("docs/examples/mgba-bridge-test.elf"));
        var log = new SelfTestLog("roms/rom.gba", names);

        log.Read("GBA Debug: <0x8000150> <0xa000152> <0x3008001> <0x80000d0> <0x2000000> 0x8000150 <0x08000150>");

        Assert.Equal("GBA Debug: <fill+0> <fill+0x2> <seed_in_use+0x1> <0x80000d0> <0x2000000> 0x8000150 <0x08000150>", log.Lines.Single());
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
    [InlineData("GBA Debug: ")]
    [InlineData("GB Serial I/O: ")]
    public void Unity_TestsHaveSourcesVerdictsAndReasons(string category)
    {
        string[] lines = ["booting", "test/add.c:12:test_Add:PASS", "test/add.c:20:test_Carry:FAIL: Expected 1 Was 2", "C:/game/add.c:31:test_Later:IGNORE", "TEST(add, wraps)test/wrap.c:7::FAIL: Expected TRUE", "TEST(add, stays) PASS", ":NNo test"];

        var (log, results) = Read([.. lines.Select(line => category + line)]);

        Assert.Equal(
            [
                ("test/add.c:12 test_Add", SelfTestVerdict.Passed, "PASS"),
                ("test/add.c:20 test_Carry", SelfTestVerdict.Failed, "Expected 1 Was 2"),
                ("C:/game/add.c:31 test_Later", SelfTestVerdict.Skipped, "IGNORE"),
                ("test/wrap.c:7 add, wraps", SelfTestVerdict.Failed, "Expected TRUE"),
                ("roms/rom.gba:1 add, stays", SelfTestVerdict.Passed, "PASS"),
            ],
            results.Select(static result => ($"{result.Test.File}:{result.Test.Line} {result.Test.Name}", result.Verdict, result.Reason)));
        Assert.Equal((null, true, false), (log.Passed, log.EndsWithASentence, log.IsInTest));
    }

    [Theory]
    [InlineData(true, "3 Tests 0 Failures 0 Ignored ", "OK")]
    [InlineData(false, "3 Tests 1 Failures 0 Ignored ", "FAIL")]
    [InlineData(false, "3 Tests 1 Failures 0 Ignored ", "OK")]
    [InlineData(null, "3 Tests 0 Failures 0 Ignored ")]
    [InlineData(null, "OK")]
    public void Unity_EndsWithItsCounts(bool? passed, params string[] lines) =>
        Assert.Equal(passed, Read(["GBA Debug: a.c:1:test_A:PASS", .. lines.Select(static line => $"GBA Debug: {line}")]).Log.Passed);

    [Fact]
    public void GbaTest_TestsEndWithTheirWords_AndTheRunWithASentence()
    {
        var (log, results) = Read(
            "GBA Debug: running test: game::jumps",
            "GBA Debug: test passed",
            "GBA Debug: running test: game::falls",
            "GBA Debug: panicked at src/lib.rs:5",
            "GBA Debug: test failed",
            "GBA Debug: running test: game::slow",
            "GBA Debug: test ignored",
            "GBA Debug: running test: game::lost",
            "GBA Debug: running test: game::last");

        Assert.Equal(
            [
                ("game::jumps", SelfTestVerdict.Passed, "test passed"),
                ("game::falls", SelfTestVerdict.Failed, "panicked at src/lib.rs:5"),
                ("game::slow", SelfTestVerdict.Skipped, "test ignored"),
                ("game::lost", SelfTestVerdict.Failed, SelfTestResult.Missing),
            ],
            results.Select(static result => (result.Test.Name, result.Verdict, result.Reason)));
        Assert.Equal((true, true, null), (log.IsInTest, log.EndsWithASentence, log.Passed));
        Assert.True(Read("GBA Debug: running test: a", "GBA Debug: test passed", "GBA Debug: tests finished").Log.Passed);
    }

    [Theory]
    [InlineData("GB Serial I/O: Passed", "Passed")]
    [InlineData("GBA Debug: Failed", null)]
    [InlineData("GBA Debug: [ok]", null)]
    public void Lines_OfNoFormat_EndNothing(string line, string? words)
    {
        var (log, results) = Read(line);

        Assert.Equal((null, words), (log.Passed, log.FailureInWords));
        Assert.Empty(results);
        Assert.Equal("sub: Failed", Read("GB Serial I/O: add: Passed", "GB Serial I/O: sub: Failed", "GB Serial I/O: mul: Passed").Log.FailureInWords);
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
        var log = new SelfTestLog("roms/rom.gba", new SelfTestNames("none.gba"));
        return (log, [.. lines.Select(log.Read).OfType<SelfTestResult>()]);
    }
}
