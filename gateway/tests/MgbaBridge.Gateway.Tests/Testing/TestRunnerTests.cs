using System.Buffers;
using System.Globalization;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class TestRunnerTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    // the lines for GitHub are in ActionTests
    static TestRunnerTests() => Environment.SetEnvironmentVariable("GITHUB_ACTIONS", null);

    public TestRunnerTests() => File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), PathOf("game.gba"));

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Files_OfTheTestGames_Pass()
    {
        var run = await RunAsync(Repository.File("headless/roms/test"));

        Assert.Equal((0, "14 passed, 0 failed\n", ""), (run.ExitCode, run.Output, run.Error));
    }

    [Fact]
    public async Task Step_ThatFails_IsNamedAndHasItsFiles()
    {
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: game.gba
            setup:
              - wait: 20
            tests:
              - name: counts A
                steps:
                  - press: A
                  - expect: 0x02000020 u32 == 2
              - name: passes
                steps:
                  - expect: 0x02000008 u32 == 17
              - name: is text
                steps:
                  - value: 0x020000A0 text 5
                    equals: hello
              - name: never
                steps:
                  - until: 0x02000000 u32 == 0
                    frames: 3
              - name: long
                frames: 10
                steps:
                  - wait: 11
              - name: logs
                steps:
                  - wait: 2
                  - log: no such line
              - name: fails as expected
                expect-failure: true
                steps:
                  - expect: 0x02000008 u32 == 1
              - name: passes unexpectedly
                expect-failure: true
                steps:
                  - wait: 1
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"), "--junit", PathOf("report.xml"));

        Assert.Equal(1, run.ExitCode);
        Assert.Equal("", run.Error);
        Assert.Equal(
            [
                "8: counts A: 0x02000020 u32 == 2 does not hold: 0x02000020 u32 is 1. (frame 5)",
                "14: is text: 0x020000A0 text 5 is \"HELLO\", not \"hello\". (frame 0)",
                "18: never: 0x02000000 u32 == 0 did not hold within 3 frames: 0x02000000 u32 is 827605581. (frame 3)",
                "23: long: The test runs more than 10 frames. Give it more with \"frames\". (frame 0)",
                "27: logs: The log has no \"no such line\". (frame 2)",
                "32: passes unexpectedly: The test passed; it is expected to fail. (frame 1)",
            ],
            run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]));
        Assert.EndsWith("2 passed, 6 failed\n", run.Output, StringComparison.Ordinal);
        var files = ResultsOf("a.test.yaml/001-counts-A");
        Assert.Equal("A 4\n. 1\n", await File.ReadAllTextAsync(Path.Combine(files, "keys.txt"), TestContext.Current.CancellationToken));
        Assert.EndsWith($"\nmgba-bridge run \"{PathOf("game.gba")}\" --state \"{files}/state.ss\" --paused\n", await File.ReadAllTextAsync(Path.Combine(files, "failure.txt"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.True(PngFile.TryRead(await File.ReadAllBytesAsync(Path.Combine(files, "picture.png"), TestContext.Current.CancellationToken), out var picture));
        picture.Dispose();
        await File.WriteAllTextAsync(
            PathOf("b.test.yaml"), $"rom: game.gba\nstate: {files}/state.ss\ntests: [{{name: continues, steps: [{{expect: 0x02000020 u32 == 1}}, {{wait: 1}}, {{expect: 0x02000008 u32 == 23}}]}}]", TestContext.Current.CancellationToken);
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("b.test.yaml"))).Output);
        Assert.False(Directory.Exists(ResultsOf("a.test.yaml/002-passes")));
        var report = XDocument.Load(PathOf("report.xml")).Root!;
        Assert.Equal(("8", "6"), (report.Attribute("tests")!.Value, report.Attribute("failures")!.Value));
        Assert.Equal(8, report.Descendants("testcase").Count());
        Assert.Equal("0x02000020 u32 == 2 does not hold: 0x02000020 u32 is 1.", report.Descendants("failure").First().Attribute("message")!.Value);
    }

    [Fact]
    public async Task Mistakes_AreNamedWithTheirLines_WhateverIsExpected()
    {
        await File.WriteAllTextAsync(PathOf("none.jsonl"), "{}", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $$"""
            rom: game.gba
            properties: {{Repository.File("docs/examples/mgba-bridge-test.json")}}
            symbols: {{Repository.File("docs/examples/mgba-bridge-test.elf")}}
            setup:
              - expect: cuonter == 1
            tests:
              - name: fails
                expect-failure: true
                steps:
                  - expect: 0x02000008 u32 == 1
                  - until: 0x02000008 != 0
                    frames: 60
                  - expect: plyer.hp == 3
                  - value: edges[0]
                    equals: many
                  - value: 0x02000008 u8
                    equals: 256
                  - value: 0x02000008 u8
                    equals: -1
                  - write: edges[0]
                    to: many
                  - picture: nowhere.png
                  - picture: a.test.yaml
                  - replay: none.jsonl
              - name: passes
                cases: [{n: 1}, {n: 2}]
                steps:
                  - expect: "edges[{n}] == 0 and lives == 3"
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"), "--junit", PathOf("report.xml"));

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        var lines = run.Error.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).ToArray();
        Assert.Equal([5, 11, 13, 14, 16, 18, 20, 22, 23, 24, 28], lines.Select(line => int.Parse(line[(line.IndexOf(".yaml:", StringComparison.Ordinal) + 6)..].Split(':')[0], CultureInfo.InvariantCulture)));
        Assert.Contains(lines, static line => line.Contains("no property and no symbol cuonter", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.Contains("\"0x02000008\" is not a place with a type;", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.Contains("It is read as 255.", StringComparison.Ordinal));
        Assert.Contains(lines, static line => line.Contains("nowhere.png is missing; --update writes it, except in tests with expect-failure.", StringComparison.Ordinal));
        Assert.Equal("11", XDocument.Load(PathOf("report.xml")).Root!.Attribute("failures")!.Value);
    }

    [Fact]
    public async Task Constants_OfTheSymbols_AreComparedOnEitherSide()
    {
        await File.WriteAllTextAsync(PathOf("names.json"), """{"properties":{"first":{"at":"0x02000000","type":"u8"}}}""", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("game.sym"), "; File generated by rgblink\n4d LETTER\n0a NUM_ITEMS\n", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: game.gba
            symbols: game.sym
            properties: names.json
            setup:
              - until: first == LETTER
            tests:
              - name: holds
                steps:
                  - expect: LETTER == first and NUM_ITEMS == 10 and NUM_ITEMS < LETTER
                  - value: NUM_ITEMS
                    equals: 10
              - name: differs
                steps:
                  - expect: first == NUM_ITEMS
              - name: is another number
                steps:
                  - value: NUM_ITEMS
                    equals: 11
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        Assert.Equal(
            ["14: differs: first == NUM_ITEMS does not hold: first is 77, NUM_ITEMS is 10. (frame 0)", "17: is another number: NUM_ITEMS is 10, not 11. (frame 0)"],
            run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]));
        Assert.EndsWith("1 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Mistake_ThatOnlyTheGameShows_IsNoFailureThatIsExpected()
    {
        await File.WriteAllTextAsync(
            PathOf("a.test.yaml"), "rom: game.gba\ntests:\n- name: bus\n  expect-failure: true\n  steps: [{value: nothing:0x10 u8, equals: 1}]\n- name: passes\n  steps: [{wait: 1}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Equal(2, run.ExitCode);
        Assert.Contains("a.test.yaml:5: bus: \"nothing\" is not a memory domain of this game", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 passed, 1 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Recording_IsReplayed_UntilMemoryDiffers()
    {
        await RecordAsync(PathOf("run.jsonl"));
        await File.WriteAllTextAsync(PathOf("other.jsonl"), (await File.ReadAllTextAsync(PathOf("run.jsonl"), TestContext.Current.CancellationToken)).Replace("\"B\"", "\"L\"", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $"""
            rom: game.gba
            properties: {Repository.File("docs/examples/mgba-bridge-test.json")}
            symbols: {Repository.File("docs/examples/mgba-bridge-test.elf")}
            tests:
              - name: the same
                steps:
                  - replay: run.jsonl
                  - expect: edges[1] == 1 and edges[9] == 0
                  - press: A
                  - expect: edges[0] == 1
              - name: keys only
                steps:
                  - wait: 20
                  - replay: other.jsonl
                    keys-only: true
                  - expect: edges[1] == 0 and edges[9] == 1
              - name: another key
                steps:
                  - replay: other.jsonl
              - name: long
                frames: 10
                steps:
                  - replay: run.jsonl
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        var lines = run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]).ToArray();
        Assert.Equal(2, lines.Length);
        Assert.Matches(@"^19: another key: Memory differs from other.jsonl after [0-9]+ frames: .*edges\+0x4 is 00, not 01, .*\. \(frame [0-9]+\)$", lines[0]);
        Assert.Equal("23: long: The test runs more than 10 frames. Give it more with \"frames\". (frame 0)", lines[1]);
        var files = ResultsOf("a.test.yaml/003-another-key");
        Assert.Contains("wram:0x24 edges+0x4 01 00\n", await File.ReadAllTextAsync(Path.Combine(files, "memory.txt"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Contains("\nL ", await File.ReadAllTextAsync(Path.Combine(files, "keys.txt"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.True(PngFile.TryRead(await File.ReadAllBytesAsync(Path.Combine(files, "expected.png"), TestContext.Current.CancellationToken), out var picture));
        picture.Dispose();
        Assert.Equal("2 passed, 2 failed\n", run.Output[run.Output.IndexOf("2 passed", StringComparison.Ordinal)..]);
    }

    [Fact]
    public async Task Picture_ThatDiffers_IsShownAndCanBeUpdated()
    {
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: game.gba
            tests:
              - name: early
                steps: [{wait: 20}, {picture: a.png}]
              - name: late
                steps: [{wait: 25}, {picture: a.png}]
              - name: part
                steps: [{wait: 25}, {picture: a.png, region: [200, 0, 40, 20]}]
              - name: some
                steps: [{wait: 25}, {picture: a.png, difference: 10000}]
              - name: other size
                steps: [{wait: 1}, {picture: gb.png}]
            """, TestContext.Current.CancellationToken);
        File.Copy(Repository.File("headless/roms/test/gb-60.png"), PathOf("gb.png"));
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: game.gba\ntests: [{name: a, steps: [{picture: gb.png, region: [100, 0, 61, 20]}]}]", TestContext.Current.CancellationToken);
        var mistakes = (await RunAsync(_folder.FullName)).Error;
        Assert.Contains("a.test.yaml:4: a.png is missing; --update writes it, except", mistakes, StringComparison.Ordinal);
        Assert.Contains("b.test.yaml:2: gb.png has 160x144 pixels; the region [100, 0, 61, 20] is not inside.", mistakes, StringComparison.Ordinal);
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("a.test.yaml"), "--only", "early", "--update")).Output);
        var run = await RunAsync(PathOf("a.test.yaml"));

        var lines = run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]).ToArray();
        Assert.Matches("^6: late: The picture differs from a.png in [0-9]+ pixels; 0 may differ. \\(frame 25\\)$", lines[0]);
        Assert.Equal(
            [
                "12: other size: gb.png has 160x144 pixels; the game's picture has 240x160. (frame 1)",
            ],
            lines[1..]);
        Assert.Equal(
            ["difference.png", "expected.png", "failure.txt", "keys.txt", "log.txt", "picture.png", "state.ss"],
            Directory.EnumerateFiles(ResultsOf("a.test.yaml/002-late")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("patch: wrong", "IPS, UPS or BPS")]
    [InlineData("cheats: wrong", "no cheat for this console")]
    [InlineData("state: wrong", "The state ")]
    [InlineData("mbc: mbc1", "mbc")]
    [InlineData("bios: wrong", "BIOS")]
    [InlineData("state: large", "the limit is 4194304")]
    public async Task File_ThatCannotBeUsed_IsAMistakeOfTheTestFile(string field, string reason)
    {
        await File.WriteAllTextAsync(PathOf("wrong"), "neither\n", TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(PathOf("large"), new byte[4_194_305], TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $"rom: game.gba\n{field}\ntests: [{{name: a, steps: [{{wait: 1}}]}}, {{name: b, expect-failure: true, steps: [{{wait: 1}}]}}]", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: game.gba\ntests: [{name: c, steps: [{wait: 1}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(_folder.FullName);

        Assert.Equal((2, ""), (run.ExitCode, run.Error));
        Assert.Equal(2, run.Output.Split('\n').Count(line => line.StartsWith(PathOf("a.test.yaml:3"), StringComparison.Ordinal) && line.Contains(reason, StringComparison.Ordinal)));
        Assert.EndsWith("1 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rom_ThatIsNone_FailsItsTestsOnly()
    {
        await File.WriteAllTextAsync(PathOf("none.gba"), "no ROM", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: none.gba\ntests: [{name: a, steps: [{wait: 1}]}, {name: b, steps: [{wait: 1}]}]", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: game.gba\ntests: [{name: c, steps: [{wait: 1}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(_folder.FullName);

        Assert.Equal(1, run.ExitCode);
        Assert.Equal(2, run.Output.Split('\n').Count(static line => line.Contains("none.gba", StringComparison.Ordinal)));
        Assert.EndsWith("1 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Game_ThatStopsItsMachine_FailsTheTest()
    {
        File.Copy(Repository.File("headless/roms/self-test.gba"), PathOf("stops.gba"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: stops.gba\ntests: [{name: a, steps: [{wait: 100}]}, {name: b, steps: [{wait: 100}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Equal(2, run.Output.Split('\n').Count(static line => line.Contains("The game stopped its machine, so that no frame runs.", StringComparison.Ordinal)));
        Assert.EndsWith("0 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Game_ThatCrashes_FailsTheTestWithItsFrameAddressAndPicture()
    {
        // the test game jumps to 0xBAD00000 in the first frame after this number was written
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: game.gba
            setup: [{wait: 30}]
            tests:
              - {name: crashes, steps: [{wait: 5}, {write: "0x02000018 u32", to: 4}, {wait: 700}]}
              - {name: is expected to fail, expect-failure: true, steps: [{write: "0x02000018 u32", to: 4}, {wait: 700}]}
              - {name: runs, steps: [{wait: 5}]}
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Matches(@"The game crashed: .*pc is 0x0?BAD0000[0-9A-F].* \(frame 5\)", run.Output);
        Assert.EndsWith("1 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(
            ["failure.txt", "keys.txt", "log.txt", "picture.png", "state.ss"],
            Directory.EnumerateFiles(ResultsOf("a.test.yaml/001-crashes")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Tests_OfManyEmulators_HaveTheSameOutcomes()
    {
        // the prng's number after so many frames, of tests that run in several emulators at once
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $$"""
            rom: game.gba
            tests:
              - name: prng
                cases: [{{string.Join(", ", Enumerable.Range(1, 100).Select(static n => $"{{n: {n}}}"))}}]
                steps:
                  - press: A
                  - until: 0x02000008 u32 == 30
                  - expect: 0x02000010 u32 == {{Prng(30)}}
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"), "--jobs", "3");

        Assert.Equal("100 passed, 0 failed\n", run.Output);
    }

    [Fact]
    public async Task Folder_InMgbasLayout_IsTested()
    {
        await File.WriteAllTextAsync(PathOf("make.test.yaml"), "rom: game.gba\nconfig: {gba.idleOptimization: ignore}\ntests: [{name: a, steps: [{wait: 10}, {picture: case/baseline_0000.png}, {hold: A}, {wait: 1}, {picture: case/baseline_0001.png}]}]", TestContext.Current.CancellationToken);
        Directory.CreateDirectory(PathOf("case"));
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("make.test.yaml"), "--update")).Output);
        File.Delete(PathOf("make.test.yaml"));
        File.Move(PathOf("game.gba"), PathOf("case/test.gba"));
        await File.WriteAllTextAsync(PathOf("case/config.ini"), "[testinfo]\nskip=10\ninput=1:1\n", TestContext.Current.CancellationToken);

        var same = await RunAsync(_folder.FullName);
        await File.WriteAllTextAsync(PathOf("case/config.ini"), "[testinfo]\nskip=10\n", TestContext.Current.CancellationToken);
        var different = await RunAsync(_folder.FullName);

        Assert.Equal((0, "1 passed, 0 failed\n", ""), (same.ExitCode, same.Output, same.Error));
        Assert.Matches($"^{PathOf("case")}:1: case: The picture differs from baseline_0001.png in [0-9]+ pixels; 0 may differ. \\(frame 11\\)\n", different.Output);
        Assert.True(File.Exists(Path.Combine(ResultsOf("case/001-case"), "difference.png")));
    }

    [Fact]
    public async Task Rom_ThatTestsItself_HasTheVerdictOfItsExitCode()
    {
        var rom = await File.ReadAllBytesAsync(Repository.File("headless/roms/self-test.gba"), TestContext.Current.CancellationToken);
        var parameters = rom.AsSpan().IndexOf("ENDS"u8) + 4;
        byte[] Ending(byte code, byte ending)
        {
            (rom[parameters], rom[parameters + 4]) = (code, ending);
            return [.. rom];
        }

        await File.WriteAllBytesAsync(PathOf("passes.gba"), Ending(0, 1), TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(PathOf("fails.gba"), Ending(7, 1), TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(PathOf("swi.gba"), Ending(0, 3), TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(PathOf("loops.gba"), Ending(0, 5), TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("passes.gba"), PathOf("fails.gba"), PathOf("loops.gba"), "--frames", "20", "--jobs", "1", "--junit", PathOf("report.xml"));

        Assert.Equal(1, run.ExitCode);
        Assert.Equal(
            [
                $"{PathOf("fails.gba")}:1: fails.gba: The ROM ended with exit code 7.",
                $"{PathOf("loops.gba")}:1: loops.gba: The ROM did not end within 20 frames. Give it more with --frames, or name the SWI that ends it with --swi.",
                "1 passed, 2 failed",
            ],
            run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(static line => !line.StartsWith(' ')));
        Assert.Contains("GBA Debug: an error line\n", await File.ReadAllTextAsync(Path.Combine(ResultsOf("fails.gba/001-fails.gba"), "log.txt"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Equal(["passes.gba", "fails.gba", "loops.gba"], XDocument.Load(PathOf("report.xml")).Descendants("testcase").Select(static test => test.Attribute("name")!.Value));
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("swi.gba"), "--swi", "39")).Output);
    }

    [Fact]
    public async Task Rom_WithATestRunner_HasItsTestsWithTheirSources()
    {
        string[] lines = [":NHeals", ":Lheal.c:12", ":PPASS", ":NLost", ":NBurns", ":Lburn.c:120", "burn.c:131: failed in <0x80000c0>", ":FFAIL", ":NLater", ":TTO_DO", ":NLast", "Saving..."];
        await File.WriteAllBytesAsync(PathOf("game-tests.gba"), PrintingRom.Gba(0, lines), TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("game-tests.gba"), "--junit", PathOf("report.xml"));

        Assert.Equal(1, run.ExitCode);
        Assert.Equal(
            [
                $"{PathOf("game-tests.gba")}:1: Lost: The test began, and the log has no result of it.",
                "burn.c:120: Burns: FAIL: burn.c:131: failed in <0x80000c0>",
                $"{PathOf("game-tests.gba")}:1: Last: The test began, and the log has no result of it.",
                "1 passed, 3 failed, 1 skipped",
            ],
            run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Where(static line => !line.StartsWith(' ')));
        var burns = XDocument.Load(PathOf("report.xml")).Descendants("testcase").Single(static test => test.Attribute("name")!.Value == "Burns");
        Assert.Equal(("burn.c", "120", PathOf("game-tests.gba")), (burns.Attribute("file")!.Value, burns.Attribute("line")!.Value, burns.Attribute("classname")!.Value));
        Assert.Equal("FAIL: burn.c:131: failed in <0x80000c0>", burns.Element("failure")!.Attribute("message")!.Value);
    }

    [Fact]
    public async Task Rom_ThatFailsATest_HasItsReasonSymbolAndMoment()
    {
        File.Copy(Repository.File("headless/roms/units.elf"), PathOf("units.elf"));

        var run = await RunAsync(PathOf("units.elf"));

        Assert.Equal(
            ["test/burn.c:120: Burns: FAIL: test/burn.c:131: EXPECT_EQ(23, 22) failed in <burn+0>", $"  {ResultsOf("units.elf/002-Burns")}", "1 passed, 1 failed"],
            run.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Equal(["failure.txt", "log.txt", "picture.png", "state.ss"], Directory.EnumerateFiles(ResultsOf("units.elf/002-Burns")).Select(Path.GetFileName).Order(StringComparer.Ordinal));

        // that of the moment: the ROM runs on for three frames
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $"rom: units.elf\nstate: {ResultsOf("units.elf/002-Burns")}/state.ss\ntests: [{{name: a, steps: [{{wait: 1}}]}}, {{name: b, steps: [{{wait: 10}}]}}]", TestContext.Current.CancellationToken);
        var later = await RunAsync(PathOf("a.test.yaml"));
        Assert.Contains("b: The game stopped its machine, so that no frame runs.", later.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 passed, 1 failed\n", later.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rom_HasTheConsoleAndTheSettingsThatAreGiven()
    {
        // A is 0x11 when a CGB starts
        var rom = PrintingRom.Gb("Passed\n");
        Convert.FromHexString("00C30003").CopyTo(rom, 0x100);
        Convert.FromHexString("FE1128FEC35001").CopyTo(rom, 0x300); // a CGB stays here
        await File.WriteAllBytesAsync(PathOf("a.gb"), rom, TestContext.Current.CancellationToken);

        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("a.gb"), "--model", "DMG")).Output);
        Assert.Contains("did not end within 900 frames", (await RunAsync(PathOf("a.gb"), "--model", "CGB", "--frames", "900")).Output, StringComparison.Ordinal);
        Assert.Contains("did not end within 900 frames", (await RunAsync(PathOf("a.gb"), "-C", "gb.model=CGB", "--frames", "900")).Output, StringComparison.Ordinal);
        Assert.Equal(2, (await RunAsync(PathOf("a.gb"), "-C", "gb.model")).ExitCode);
        Assert.Equal(2, (await RunAsync(PathOf("a.gb"), "--model", "GBX")).ExitCode);
    }

    [Theory]
    [InlineData("gba", "0x02000018 u32", "0x02000340 u32", "0x02000324 u32")]
    [InlineData("gb", "0xC118 u8", "0xC440 u32", "0xC424 u8")]
    public async Task SaveData_IsWrittenComparedAndGiven(string console, string command, string read, string result)
    {
        File.Copy(Repository.File($"headless/roms/mgba-bridge-test.{console}"), PathOf($"saves.{console}"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $$"""
            rom: saves.{{console}}
            setup: [{wait: 30}]
            tests:
              - {name: saves, steps: [{write: "{{command}}", to: 1}, {wait: 2}, {save: after.sav}]}
              - {name: saves later, steps: [{wait: 1}, {write: "{{command}}", to: 1}, {wait: 2}, {save: later.sav}]}
            """, TestContext.Current.CancellationToken);
        var missing = await RunAsync(PathOf("a.test.yaml"));
        var update = await RunAsync(PathOf("a.test.yaml"), "--update");
        var same = await RunAsync(PathOf("a.test.yaml"), "--saves", PathOf("saves"));
        File.Copy(PathOf("later.sav"), PathOf("after.sav"), overwrite: true);
        var different = await RunAsync(PathOf("a.test.yaml"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $$"""
            rom: saves.{{console}}
            save: later.sav
            tests: [{name: has it, steps: [{wait: 30}, {write: "{{command}}", to: 2}, {wait: 2}, {expect: "{{result}} == 1 and {{read}} == 1448297037"}, {save: later.sav}]}]
            """, TestContext.Current.CancellationToken);
        var given = await RunAsync(PathOf("a.test.yaml"));
        await File.WriteAllTextAsync(PathOf("later.sav"), "none", TestContext.Current.CancellationToken);
        var wrong = await RunAsync(PathOf("a.test.yaml"));

        Assert.Equal((2, $"{PathOf("a.test.yaml")}:4: after.sav is missing; --update writes it, except in tests with expect-failure."), (missing.ExitCode, missing.Error.Split('\n')[0]));
        Assert.Equal("2 passed, 0 failed\n", update.Output);
        Assert.Equal("2 passed, 0 failed\n", same.Output);
        var left = Path.Combine(PathOf("saves"), Path.GetRelativePath("/", PathOf("a.test.yaml")));
        Assert.Equal(["001-saves.sav", "002-saves-later.sav"], Directory.EnumerateFiles(left).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.Equal(await File.ReadAllBytesAsync(PathOf("after.sav"), TestContext.Current.CancellationToken), await File.ReadAllBytesAsync(Path.Combine(left, "002-saves-later.sav"), TestContext.Current.CancellationToken));
        Assert.Matches(@"a\.test\.yaml:4: saves: The save data differs from after\.sav in [0-9]+ bytes: 0x000[0-9A-F] is [0-9A-F]{2}, not [0-9A-F]{2}, .*\. \(frame 2\)", different.Output);
        Assert.Equal(
            ["expected.sav", "failure.txt", "keys.txt", "log.txt", "picture.png", "save.sav", "state.ss"],
            Directory.EnumerateFiles(ResultsOf("a.test.yaml/001-saves")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.Equal("1 passed, 0 failed\n", given.Output);
        Assert.Equal((2, $"{PathOf("a.test.yaml")}:3: The bytes of later.sav are no save data of this game, which has one of 512, 2048, 8192, 32768, 65536, 131072."), (wrong.ExitCode, wrong.Error.TrimEnd()));
    }

    [Fact]
    public async Task SaveData_OfARomThatTestsItself_IsLeft()
    {
        await File.WriteAllBytesAsync(PathOf("a.gba"), PrintingRom.Gba(0, "line"), TestContext.Current.CancellationToken);

        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("a.gba"), "--saves", PathOf("saves"))).Output);
        Assert.False(Directory.Exists(PathOf("saves"))); // it saves nothing
        await File.WriteAllTextAsync(PathOf("file"), "", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: game.gba\ntests: [{name: a, steps: [{wait: 30}, {write: 0x02000018 u32, to: 1}, {wait: 2}]}]", TestContext.Current.CancellationToken);
        var blocked = await RunAsync(PathOf("a.test.yaml"), "--saves", PathOf("file"));
        Assert.Equal(1, blocked.ExitCode);
        Assert.Contains("001-a.sav cannot be written: ", blocked.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Twice_OutcomesAreTheSame()
    {
        File.Copy(Repository.File("headless/roms/units.elf"), PathOf("units.elf"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: game.gba\ntests: [{name: a, steps: [{wait: 30}]}, {name: b, steps: [{expect: 0x02000008 u32 == 1}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"), PathOf("units.elf"), "--twice");

        Assert.Equal(1, run.ExitCode);
        Assert.EndsWith("2 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("flaky", run.Output, StringComparison.Ordinal);
        Assert.True(Directory.Exists(Path.Combine(PathOf("results"), "second-run")));
    }

    [Fact]
    public async Task Measure_ComparesTheCyclesBetweenTwoPlaces()
    {
        // an interrupt each frame, which has 280896 cycles
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $$"""
            rom: game.gba
            symbols: {{Repository.File("docs/examples/mgba-bridge-test.elf")}}
            setup: [{wait: 20}]
            tests:
              - {name: frame, steps: [{measure: 0x18 < 280897 cycles, frames: 30}, {wait: 5}, {measure: 0x18 <= 280896 cycles}]}
              - {name: two, steps: [{measure: 0x18 to fill < 280896 cycles}]}
              - {name: slower, steps: [{measure: 0x18 < 280896 cycles, frames: 30}]}
              - {name: never, steps: [{measure: is_valid < 10 cycles, frames: 2}]}
              - {name: never after, steps: [{measure: 0x18 to is_valid < 10 cycles, frames: 2}]}
            """, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: game.gba\ntests: [{name: a, expect-failure: true, steps: [{measure: nowhere < 10 cycles}, {measure: io:0 < 10 cycles}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));
        var wrong = await RunAsync(PathOf("b.test.yaml"));

        Assert.Equal(
            [
                "7: slower: 0x18 < 280896 cycles does not hold: it took 280896 to 280896 cycles, measured 29 times. (frame 31)",
                "8: never: is_valid was not executed twice in 2 frames. (frame 3)",
                "9: never after: is_valid was not executed after 0x18 in 2 frames. (frame 3)",
            ],
            run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]));
        Assert.EndsWith("2 passed, 3 failed\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(2, wrong.ExitCode);
        Assert.Contains("nowhere is neither a symbol of this game nor an address of code", wrong.Error, StringComparison.Ordinal);
        Assert.Contains("io:0 is in io, where no code is measured", wrong.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("DMG")]
    [InlineData("CGB")]
    public async Task Measure_OfAGameBoy_HasItsCycles(string model)
    {
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gb"), PathOf("game.gb"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $$"""
            rom: game.gb
            model: {{model}}
            setup: [{wait: 20}]
            tests:
              - {name: frame, steps: [{measure: 0x40 <= 140460 cycles, frames: 30}]}
              - {name: slower, steps: [{measure: 0x40 < 140000 cycles, frames: 30}]}
              - {name: bank, steps: [{measure: "cart0:0x4000 to 0x40 < 10 cycles", frames: 2}]}
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Matches("slower: 0x40 < 140000 cycles does not hold: it took 14[0-9]{4} to 14[0-9]{4} cycles, measured 29 times.", run.Output);
        Assert.Contains("bank: 0x40 was not executed after cart0:0x4000 in 2 frames.", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: game.gb\ntests: [{name: a, steps: [{measure: 0x4000 < 10 cycles}]}]", TestContext.Current.CancellationToken);
        Assert.Contains("0x4000 is in one of several banks: name it by its offset in the ROM, such as cart0:0x4000.", (await RunAsync(PathOf("a.test.yaml"))).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Coverage_HasFunctionsAndLinesOfAllRuns()
    {
        File.Copy(Repository.File("headless/roms/units.elf"), PathOf("units.elf"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: units.elf\ntests: [{name: a, steps: [{wait: 1}]}]", TestContext.Current.CancellationToken);

        var one = await RunAsync(PathOf("units.elf"), "--coverage", PathOf("one.info"));
        var two = await RunAsync(PathOf("units.elf"), PathOf("a.test.yaml"), "--coverage", PathOf("two.info"));
        var nowhere = await RunAsync(PathOf("a.test.yaml"), "--coverage", PathOf("missing/two.info"));

        Assert.Equal(("1 passed, 1 failed\nexecuted: 6 of 7 functions, 50 of 56 lines\n", ""), (one.Output[one.Output.IndexOf("1 passed", StringComparison.Ordinal)..], one.Error));
        string[] lines = await File.ReadAllLinesAsync(PathOf("one.info"), TestContext.Current.CancellationToken);
        Assert.Equal(["TN:", "SF:", "FN:15,add"], [lines[0], lines[1][..3], lines[2]]);
        Assert.EndsWith("gba/units.c", lines[1], StringComparison.Ordinal);
        Assert.Equal(["FNDA:1,burn", "FNDA:1,heal", "FNDA:2,main_loop", "FNDA:0,revive"], lines.Where(static line => line.StartsWith("FNDA:", StringComparison.Ordinal) && line[^4..] is "burn" or "heal" or "loop" or "vive").ToArray());
        Assert.Equal(["DA:41,1", "DA:42,0", "DA:44,1"], lines.SkipWhile(static line => line != "DA:41,1").Take(3));
        Assert.Equal(["FNF:7", "FNH:6", "LF:56", "LH:50", "end_of_record"], lines.Where(static line => line.StartsWith("FNF", StringComparison.Ordinal) || line.StartsWith("FNH", StringComparison.Ordinal) || line.StartsWith('L') || line[0] == 'e'));
        Assert.Equal("", two.Error);
        Assert.Contains("FNDA:2,heal\n", await File.ReadAllTextAsync(PathOf("two.info"), TestContext.Current.CancellationToken), StringComparison.Ordinal);
        Assert.Equal((4, true), (nowhere.ExitCode, nowhere.Error.Contains("cannot be written: ", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task Coverage_OfAGameBoy_HasTheNamesOfItsSymbols()
    {
        await File.WriteAllBytesAsync(PathOf("a.gb"), PrintingRom.Gb("Passed\n"), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.sym"), "00:0150 Start\n00:0165 Loop\n00:0200 Text\n01:4000 Bank\n", TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(PathOf("b.gb"), PrintingRom.Gb("Passed\n"), TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.gb"), PathOf("b.gb"), "--coverage", PathOf("a.info"));

        Assert.EndsWith("2 passed, 0 failed\nexecuted: 2 of 4 functions, 0 of 0 lines\n", run.Output, StringComparison.Ordinal);
        Assert.Contains($"There are no symbols of {PathOf("b.gb")}: put its ELF file", run.Error, StringComparison.Ordinal);
        var report = await File.ReadAllTextAsync(PathOf("a.info"), TestContext.Current.CancellationToken);
        Assert.Contains("FNDA:0,Bank\n", report, StringComparison.Ordinal);
        Assert.Contains("FNDA:1,Start\nFNDA:0,Text\n", report, StringComparison.Ordinal);
        Assert.DoesNotContain("FNDA:0,Loop\n", report, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rom_WhoseLogEndsTheRun_HasMomentAndCoverage()
    {
        var rom = PrintingRom.Gba(0, "Running 1 tests", "a...", "[failed]", "panicked at src/lib.rs:5");
        Convert.FromHexString("FEFFFFEA").CopyTo(rom, rom.AsSpan().IndexOf(Convert.FromHexString("000003EF"))); // it loops instead of ending
        await File.WriteAllBytesAsync(PathOf("a.gba"), rom, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.sym"), "080000c0 g 0000004c Start\n", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.gba"), "--coverage", PathOf("a.info"));

        Assert.Equal(("", $"{PathOf("a.gba")}:1: a: panicked at src/lib.rs:5"), (run.Error, run.Output.Split('\n')[0]));
        Assert.EndsWith("executed: 1 of 1 functions, 0 of 0 lines\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(["failure.txt", "log.txt", "picture.png", "state.ss"], Directory.EnumerateFiles(ResultsOf("a.gba/001-a")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Setup_ThatFails_HasItsFiles()
    {
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: game.gba\nsetup: [{press: A}, {expect: 0x02000020 u32 == 2}]\ntests: [{name: a, steps: [{wait: 1}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Contains("a: The setup failed in line 2: 0x02000020 u32 == 2 does not hold: 0x02000020 u32 is 1.", run.Output, StringComparison.Ordinal);
        Assert.Equal(
            ["failure.txt", "keys.txt", "log.txt", "picture.png", "state.ss"],
            Directory.EnumerateFiles(ResultsOf("a.test.yaml/001-a")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData(0, 0, "GBA line")]
    [InlineData(256, 1, "GBA line")]
    [InlineData(0, 1, ":NNever ends")]
    [InlineData(0, 0, "Loading...")]
    [InlineData(0, 0, "Running 1 tests", "a...", "[ok]", "Tests finished successfully")]
    [InlineData(0, 1, "Running 1 tests", "a...", "[ok]")]
    [InlineData(0, 1, "Running 2 tests", "a...", "[ok]", "b...", "Tests finished successfully")]
    public async Task Rom_ThatDoesNotSayThatItPassed_HasFailed(int register, int code, params string[] lines)
    {
        await File.WriteAllBytesAsync(PathOf("a.gba"), PrintingRom.Gba(register, lines), TestContext.Current.CancellationToken);

        Assert.Equal(code, (await RunAsync(PathOf("a.gba"))).ExitCode);
    }

    [Theory]
    [InlineData("Passed\n", 0, "1 passed, 0 failed")]
    [InlineData("Passed: 2\nFailed: 0\n", 0, "1 passed, 0 failed")]
    [InlineData("3 Passed, 2 Failed\n", 1, ": 3 Passed, 2 Failed")]
    [InlineData("sub: Failed\nadd: Passed\n", 1, ": sub: Failed")]
    public async Task Rom_OfAGameBoy_EndsByItsWords(string text, int code, string output)
    {
        await File.WriteAllBytesAsync(PathOf("a.gb"), PrintingRom.Gb(text), TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.gb"));

        Assert.Equal(code, run.ExitCode);
        Assert.Contains(output, run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Pictures_InOtherLevels_AreEqualByTheBitsThatCount()
    {
        // as public suites write a Game Boy's four levels; mGBA's are FF, AD, 52 and 00
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gb"), PathOf("game.gb"));
        Assert.True(PngFile.TryRead(await File.ReadAllBytesAsync(Repository.File("headless/roms/test/gb-60.png"), TestContext.Current.CancellationToken), out var seen));
        using var levels = new Picture(seen.Width, seen.Height);
        levels.Add([.. seen.Rgb.ToArray().Select(static level => level switch { 0xAD => (byte)0xAA, 0x52 => (byte)0x55, _ => level })]);
        seen.Dispose();
        await using (var file = File.Create(PathOf("a.png")))
        {
            PngFile.Write(levels, 1, file);
        }

        const string Steps = "steps: [{until: 0xC108 u32 == 60}, {picture: a.png";
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $"rom: game.gb\nconfig: {{gb.model: DMG}}\ntests: [{{name: all, {Steps}}}]}}, {{name: five, {Steps}, color-bits: 5}}]}}]", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), $"rom: game.gb\ncolor-bits: 5\nconfig: {{gb.model: DMG}}\ntests: [{{name: five, {Steps}}}]}}]", TestContext.Current.CancellationToken);

        Assert.EndsWith("1 passed, 1 failed\n", (await RunAsync(PathOf("a.test.yaml"))).Output, StringComparison.Ordinal);
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("b.test.yaml"))).Output);
    }

    [Fact]
    public async Task Patch_IsAppliedToTheRom()
    {
        // the 4 bytes at 0xAC, the game code
        byte[] patch = [.. "PATCH"u8, 0, 0, 0xAC, 0, 4, .. "QQQQ"u8, .. "EOF"u8];
        await File.WriteAllBytesAsync(PathOf("hack.ips"), patch, TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(PathOf("bad.ips"), patch[..12], TestContext.Current.CancellationToken);
        const string Tests = "tests: [{name: code, steps: [{value: 0x080000AC text 4, equals: QQQQ}]}]";
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), $"rom: game.gba\npatch: hack.ips\n{Tests}", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), $"rom: game.gba\npatch: bad.ips\n{Tests}", TestContext.Current.CancellationToken);

        var run = await RunAsync(_folder.FullName);

        Assert.Contains($"the patch \"{PathOf("bad.ips")}\" is damaged", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 passed, 1 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Machine_IsThatOfTheFile_AndEachTestBeginsWithItsClockAndSensors()
    {
        File.Copy(Repository.File("headless/roms/machine.gba"), PathOf("machine.gba"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: machine.gba
            save-type: eeprom
            hardware: rtc,light,tilt
            clock: emulated:2026-02-03T04:05:06
            setup:
              - until: 0x02000000 u32 == 0x314D424D
            tests:
              - name: light
                steps:
                  - write: 0x0200000C u32
                    to: 2
                  - light: 0.8
                  - until: 0x02000030 u32 == 51
                    frames: 10
                  - light: 1
                  - until: 0x02000030 u32 == 0
                    frames: 10
              - name: dark again
                steps:
                  - write: 0x0200000C u32
                    to: 2
                  - until: 0x02000030 u32 == 255
                    frames: 10
              - name: clock
                cases: [{number: 1}, {number: 2}]
                steps:
                  - write: 0x0200000C u32
                    to: 1
                  - wait: 90
                  - expect: 0x02000014 u32 == 0x26 and 0x02000028 u32 == 5 and 0x0200002C u32 == 7
                  - clock: fixed:2031-05-06T07:08:09
                  - wait: 90
                  - expect: 0x02000014 u32 == 0x31 and 0x02000028 u32 == 8 and 0x0200002C u32 == 9
              - name: tilt
                steps:
                  - write: 0x0200000C u32
                    to: 4
                  - wait: 10
                  - expect: 0x02000038 u32 == 0x3A0 and 0x0200003C u32 == 0x3A0
                  - tilt: [30, 0]
                  - wait: 10
                  - expect: 0x02000038 u32 < 0x3A0 and 0x0200003C u32 == 0x3A0
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));
        Assert.Equal("5 passed, 0 failed\n", run.Output);
    }

    [Fact]
    public async Task Camera_SeesThePictureOfAFile_UntilTheTestEnds()
    {
        File.Copy(Repository.File("headless/roms/camera.gb"), PathOf("camera.gb"));
        await File.WriteAllBytesAsync(PathOf("white.png"), CameraPicture.ToPng([.. Enumerable.Repeat(byte.MaxValue, CameraPicture.Width * CameraPicture.Height)]), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("broken.png"), "no picture", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: camera.gb
            setup:
              - until: 0xC100 u32 == 0x314D424D
            tests:
              - name: white
                steps:
                  - camera: white.png
                  - write: 0xC10F u8
                    to: 1
                  - until: 0xC110 u16 == 1
                  - expect: 0xC120 u32 == 0
              - name: dark
                steps:
                  - write: 0xC10F u8
                    to: 1
                  - until: 0xC110 u16 == 1
                  - expect: 0xC120 u32 == 0xFFFFFFFF
            """, TestContext.Current.CancellationToken);
        Assert.Equal("2 passed, 0 failed\n", (await RunAsync(PathOf("a.test.yaml"))).Output);

        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: camera.gb\ntests: [{name: broken, steps: [{camera: broken.png}]}]", TestContext.Current.CancellationToken);
        Assert.Contains("These 10 bytes are no picture", (await RunAsync(PathOf("b.test.yaml"))).Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cheats_AreAppliedInTheTests()
    {
        await File.WriteAllTextAsync(PathOf("game.cht"), "cheats = 1\ncheat0_desc = \"Seven\"\ncheat0_code = \"02010000:07\"\ncheat0_enable = true\n", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: game.gba\ncheats: game.cht\ntests: [{name: applied, steps: [{wait: 2}, {expect: 0x02010000 u8 == 7}]}]", TestContext.Current.CancellationToken);

        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("a.test.yaml"))).Output);
    }

    [Fact]
    public async Task Shards_TogetherAreAllTests()
    {
        await WriteManyAsync(5);

        Assert.Equal("2 passed, 0 failed\n", (await RunAsync(PathOf("a.test.yaml"), "--shard", "1/2")).Output);
        Assert.Equal("3 passed, 0 failed\n", (await RunAsync(PathOf("a.test.yaml"), "--shard", "2/2")).Output);
        var wrong = await RunAsync(PathOf("a.test.yaml"), "--shard", "3/2");
        Assert.Equal(2, wrong.ExitCode);
        Assert.Contains("--shard is \"3/2\"; expected PART/PARTS, such as 1/4, with up to 10000 parts.", wrong.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Files_ThatAreWrong_DoNotKeepTheOthersFromRunning()
    {
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "tests: 5", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: game.gba\ntests: [{name: a, steps: [{wait: 1}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(_folder.FullName, "--junit", PathOf("report.xml"));

        Assert.Equal((2, "1 passed, 0 failed\n"), (run.ExitCode, run.Output));
        Assert.Contains("a.test.yaml:1:8: tests is a list.", run.Error, StringComparison.Ordinal);
        Assert.Equal(("2", "1"), XDocument.Load(PathOf("report.xml")).Root is { } root ? (root.Attribute("tests")!.Value, root.Attribute("failures")!.Value) : default);
    }

    [Fact]
    public async Task Output_ThatCannotBeWritten_IsSaidWithTheFailure()
    {
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: game.gba\ntests: [{name: a, steps: [{expect: 0x02000008 u32 == 5}]}]", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("results"), "no folder", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Matches("does not hold: .* The files about it cannot be written: ", run.Output);
        Assert.EndsWith("0 passed, 1 failed\n", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_ThatIsTerminated_HasAReportOfAllTests()
    {
        await WriteManyAsync(2000, "wait: 20000");
        await using var program = GatewayProcess.Start([], "test", PathOf("a.test.yaml"), "--jobs", "1", "--junit", PathOf("report.xml"), "--output", PathOf("results"));
        await Eventually.Is(() => OwnedGateway.HeadlessOf(PathOf("game.gba")).Length > 0);

        Assert.Equal(128 + 15, await program.TerminateAsync());

        var report = XDocument.Load(PathOf("report.xml")).Root!;
        Assert.Equal(("2000", "0"), (report.Attribute("tests")!.Value, report.Attribute("failures")!.Value));
        Assert.Equal("The run was ended before this test.", report.Descendants("skipped").Last().Attribute("message")!.Value);
        await Eventually.Is(() => OwnedGateway.HeadlessOf(PathOf("game.gba")).Length == 0);
    }

    [Fact]
    public async Task Watch_RunsTheTestsAgainWhenAFileChanges()
    {
        await WriteManyAsync(1);
        await using var program = GatewayProcess.Start(["env", "--default-signal=INT"], "test", PathOf("a.test.yaml"), "--watch", "--output", PathOf("results"));
        await Eventually.Is(() => program.Said.Contains("1 passed, 0 failed"));

        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "tests: 5", TestContext.Current.CancellationToken);
        await Eventually.Is(() => program.Said.Any(static line => line.Contains("tests is a list", StringComparison.Ordinal)));
        await WriteManyAsync(3);
        await Eventually.Is(() => program.Said.Contains("3 passed, 0 failed"));

        program.Signal("-INT");
        Assert.Equal(128 + 2, await program.EndsAsync());
    }

    [Theory]
    [InlineData("tests: []", 2)]
    [InlineData("rom: game.gba\ntests: [{name: a, steps: [{wait: 1}]}]", 2)]
    [InlineData(null, 4)]
    public async Task File_WithNothingToRun_EndsTheProgram(string? yaml, int code)
    {
        if (yaml is not null)
        {
            await File.WriteAllTextAsync(PathOf("a.test.yaml"), yaml, TestContext.Current.CancellationToken);
        }

        var run = await VerbRun.OfAsync("test", PathOf("a.test.yaml"), "--only", "a.test.yaml");

        Assert.Equal(code, run.ExitCode);
        Assert.Contains("a.test.yaml", run.Error, StringComparison.Ordinal);
    }

    private static async Task RecordAsync(string path)
    {
        await using var play = await Play.StartAsync();
        var id = (await play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", """{"hashEvery":10}""")).GetProperty("id").GetString();
        await play.WaitAsync(3);
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["B"],"frames":2,"wait":true}""");
        await play.WaitAsync(40);
        await play.AskGatewayAsync(HttpMethod.Post, $"/v2/recordings/{id}/stop");
        var picture = Convert.ToBase64String(await play.Client.GetByteArrayAsync("/v2/screen", TestContext.Current.CancellationToken));
        var recording = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await File.WriteAllLinesAsync(path, recording.TrimEnd().Split('\n').Select(WithPicture), TestContext.Current.CancellationToken);

        // a picture that comes too late, as on a busy machine, is not recorded
        string WithPicture(string line)
        {
            var read = JsonNode.Parse(line)!.AsObject();
            if (read.ContainsKey("hash"))
            {
                read.TryAdd("picture", picture);
            }

            return read.ToJsonString();
        }
    }

    private Task WriteManyAsync(int count, string step = "wait: 1") => File.WriteAllTextAsync(
        PathOf("a.test.yaml"), $"rom: game.gba\nframes: 1000000\ntests: [{string.Join(", ", Enumerable.Range(1, count).Select(number => $"{{name: n{number}, steps: [{{{step}}}]}}"))}]", TestContext.Current.CancellationToken);

    private static uint Prng(int frames)
    {
        var state = 0x2545F491u;
        for (var frame = 0; frame < frames; frame++)
        {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
        }

        return state;
    }

    [Fact]
    public async Task Picture_IsComparedAsTheStepSays()
    {
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gb"), PathOf("game.gb"));
        await File.WriteAllTextAsync(PathOf("base.test.yaml"), "rom: game.gb\ntests: [{name: a, steps: [{wait: 60}, {picture: base.png}]}]", TestContext.Current.CancellationToken);
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("base.test.yaml"), "--update")).Output);
        var pixels = PixelsOf("base.png");
        WritePng("shades.png", [.. pixels.Select(static value => value switch { 0xAD => (byte)0xAA, 0x52 => (byte)0x55, _ => value })]);
        WritePng("other.png", [.. pixels.Select(static value => value == 0xAD ? (byte)0x80 : value)]);
        WritePng("mask.png", [.. pixels.Select(static value => value == 0xAD ? (byte)0 : (byte)0xFF)]);
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: game.gb
            setup: [{wait: 60}]
            tests:
              - {name: exact, expect-failure: true, steps: [{picture: shades.png}]}
              - {name: shades, steps: [{picture: shades.png, shades: [ff, aa, 55, 00]}]}
              - {name: tolerance, steps: [{picture: shades.png, tolerance: 3}]}
              - {name: less tolerance, expect-failure: true, steps: [{picture: shades.png, tolerance: 2}]}
              - {name: bits, steps: [{picture: shades.png, color-bits: 5}]}
              - {name: mask, steps: [{picture: other.png, mask: mask.png}]}
              - {name: without mask, expect-failure: true, steps: [{picture: other.png}]}
              - {name: other shades, steps: [{picture: other.png, shades: [ff, 80, 52, 00]}]}
            """, TestContext.Current.CancellationToken);

        Assert.Equal((0, "8 passed, 0 failed\n", ""), Result(await RunAsync(PathOf("a.test.yaml"))));

        await File.WriteAllTextAsync(PathOf("b.test.yaml"), "rom: game.gb\nshades: [ff, aa, 55, 00]\ntests: [{name: a, steps: [{wait: 60}, {picture: shades.png}]}]", TestContext.Current.CancellationToken);
        Assert.Equal((0, "1 passed, 0 failed\n", ""), Result(await RunAsync(PathOf("b.test.yaml"))));

        using (var small = new Picture(8, 8))
        {
            small.Add(new byte[192]);
            await using var file = File.Create(PathOf("mask.png"));
            PngFile.Write(small, 1, file);
        }

        var wrong = await RunAsync(PathOf("a.test.yaml"), "--only", "mask");
        Assert.Contains("other.png cannot be compared: the mask mask.png has 8x8 pixels; the game's picture has 160x144.", wrong.Output, StringComparison.Ordinal);
        await File.WriteAllTextAsync(PathOf("mask.png"), "none", TestContext.Current.CancellationToken);
        var noMask = await RunAsync(PathOf("a.test.yaml"));
        Assert.Equal((2, $"{PathOf("a.test.yaml")}:9: mask.png is no PNG, or one with more than 4194304 pixels."), (noMask.ExitCode, noMask.Error.TrimEnd()));
    }

    [Fact]
    public async Task Pattern_RunsTheTestsForEachRom()
    {
        Directory.CreateDirectory(PathOf("roms"));
        File.Copy(PathOf("game.gba"), PathOf("roms/one.gba"));
        File.Copy(PathOf("game.gba"), PathOf("roms/two.gba"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), """
            rom: "roms/*.gba"
            tests:
              - name: counts for {rom}
                steps: [{wait: 20}, {until: 0x02000008 u32 >= 17}]
              - name: fails
                cases: [{number: 1}, {number: 2}]
                steps: [{expect: "0x02000008 u32 == {number}"}]
            """, TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"), "--jobs", "1");

        Assert.Equal(
            ["one.gba: fails (number: 1)", "one.gba: fails (number: 2)", "two.gba: fails (number: 1)", "two.gba: fails (number: 2)"],
            run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(static line => line[(line.IndexOf(": ", StringComparison.Ordinal) + 2)..line.IndexOf(": 0x", StringComparison.Ordinal)]));
        Assert.EndsWith("2 passed, 4 failed\n", run.Output, StringComparison.Ordinal);
        Assert.True(Directory.Exists(ResultsOf("a.test.yaml/006-two.gba--fails--number--2-")));

        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: 'roms/*.gb'\ntests: []", TestContext.Current.CancellationToken);
        var none = await RunAsync(PathOf("a.test.yaml"));
        Assert.Equal((2, $"{PathOf("a.test.yaml")}:1:6: There is no file {PathOf("roms/*.gb")}."), (none.ExitCode, none.Error.TrimEnd()));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: '*/a.gb'\ntests: []", TestContext.Current.CancellationToken);
        Assert.Contains("only the file's name may have * and ?.", (await RunAsync(PathOf("a.test.yaml"))).Error, StringComparison.Ordinal);
    }

    private static (int, string, string) Result(VerbRun run) => (run.ExitCode, run.Output, run.Error);

    private byte[] PixelsOf(string name)
    {
        Assert.True(PngFile.TryRead(File.ReadAllBytes(PathOf(name)), out var picture));
        using (picture)
        {
            return picture.Rgb.ToArray();
        }
    }

    private void WritePng(string name, byte[] rgb)
    {
        using var picture = new Picture(160, 144);
        picture.Add(rgb);
        using var file = File.Create(PathOf(name));
        PngFile.Write(picture, 1, file);
    }

    private Task<VerbRun> RunAsync(params string[] arguments) => VerbRun.OfAsync(["test", .. arguments, "--output", PathOf("results")]);

    // below the folder for results as below the root: the tests are not in the working folder
    private string ResultsOf(string name) => Path.Combine(PathOf("results"), Path.GetRelativePath("/", PathOf(name)));

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
