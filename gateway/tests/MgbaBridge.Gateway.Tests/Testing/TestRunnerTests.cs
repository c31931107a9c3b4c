using System.Xml.Linq;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Testing;

public sealed class TestRunnerTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-tests-");

    public TestRunnerTests() => File.Copy(Repository.File("lua/headless/rom/mgba-bridge-test.gba"), PathOf("game.gba"));

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Files_OfTheTestGames_Pass()
    {
        var run = await RunAsync(Repository.File("lua/headless/rom/test"));

        Assert.Equal((0, "11 passed, 0 failed\n", ""), (run.ExitCode, run.Output, run.Error));
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
              - name: no such
                steps:
                  - expect: lives == 3
              - name: logs
                steps:
                  - wait: 2
                  - log: no such line
              - name: bus
                steps:
                  - value: nothing:0x10 u8
                    equals: 1
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
                "26: no such: This game has no property and no symbol lives. (frame 0)",
                "30: logs: The log has no \"no such line\". (frame 2)",
                "33: bus: \"nothing\" is not a memory domain of this game; it has bios cart0 cart1 cart2 io iwram oam palette vram wram (frame 0)",
                "39: passes unexpectedly: The test passed; expect-failure says that it fails. (frame 1)",
            ],
            run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]));
        Assert.EndsWith("2 passed, 8 failed\n", run.Output, StringComparison.Ordinal);
        var files = PathOf("results/a.test/001-counts-A");
        Assert.Equal("A 4\n. 1\n", await File.ReadAllTextAsync(Path.Combine(files, "keys.txt"), TestContext.Current.CancellationToken));
        Assert.True(PngFile.TryRead(await File.ReadAllBytesAsync(Path.Combine(files, "picture.png"), TestContext.Current.CancellationToken), out var picture));
        picture.Dispose();
        await File.WriteAllTextAsync(
            PathOf("b.test.yaml"), $"rom: game.gba\nstate: {files}/state.ss\ntests: [{{name: continues, steps: [{{expect: 0x02000020 u32 == 1}}, {{wait: 1}}, {{expect: 0x02000008 u32 == 23}}]}}]", TestContext.Current.CancellationToken);
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("b.test.yaml"))).Output);
        Assert.False(Directory.Exists(PathOf("results/a.test/002-passes")));
        var report = XDocument.Load(PathOf("report.xml")).Root!;
        Assert.Equal(("10", "8"), (report.Attribute("tests")!.Value, report.Attribute("failures")!.Value));
        Assert.Equal(10, report.Descendants("testcase").Count());
        Assert.Equal("0x02000020 u32 == 2 does not hold: 0x02000020 u32 is 1.", report.Descendants("failure").First().Attribute("message")!.Value);
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
              - name: outside
                steps: [{wait: 25}, {picture: a.png, region: [200, 0, 41, 20]}]
              - name: other size
                steps: [{wait: 1}, {picture: gb.png}]
              - name: no picture
                steps: [{wait: 1}, {picture: a.test.yaml}]
            """, TestContext.Current.CancellationToken);
        File.Copy(Repository.File("lua/headless/rom/test/gb-60.png"), PathOf("gb.png"));

        Assert.Contains("early: a.png is missing; --update writes it.", (await RunAsync(PathOf("a.test.yaml"), "--only", "early")).Output, StringComparison.Ordinal);
        Assert.Equal("1 passed, 0 failed\n", (await RunAsync(PathOf("a.test.yaml"), "--only", "early", "--update")).Output);
        var run = await RunAsync(PathOf("a.test.yaml"));

        var lines = run.Output.Split('\n').Where(static line => line.Contains(".yaml:", StringComparison.Ordinal)).Select(line => line[$"{PathOf("a.test.yaml")}:".Length..]).ToArray();
        Assert.Matches("^6: late: The picture differs from a.png in [0-9]+ pixels; 0 may differ. \\(frame 25\\)$", lines[0]);
        Assert.Equal(
            [
                "12: outside: a.png has 240x160 pixels; the region [200, 0, 41, 20] is not inside. (frame 25)",
                "14: other size: gb.png has 160x144 pixels; the game's picture has 240x160. (frame 1)",
                "16: no picture: a.test.yaml is no PNG with 8 bits a channel. (frame 1)",
            ],
            lines[1..]);
        Assert.Equal(
            ["difference.png", "expected.png", "failure.txt", "keys.txt", "log.txt", "picture.png", "state.ss"],
            Directory.EnumerateFiles(PathOf("results/a.test/002-late")).Select(Path.GetFileName).Order(StringComparer.Ordinal));
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
        File.Copy(Repository.File("lua/headless/rom/self-test.gba"), PathOf("stops.gba"));
        await File.WriteAllTextAsync(PathOf("a.test.yaml"), "rom: stops.gba\ntests: [{name: a, steps: [{wait: 100}]}, {name: b, steps: [{wait: 100}]}]", TestContext.Current.CancellationToken);

        var run = await RunAsync(PathOf("a.test.yaml"));

        Assert.Equal(2, run.Output.Split('\n').Count(static line => line.Contains("The game stopped its machine, so that no frame runs.", StringComparison.Ordinal)));
        Assert.EndsWith("0 passed, 2 failed\n", run.Output, StringComparison.Ordinal);
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

    private Task<VerbRun> RunAsync(params string[] arguments) => VerbRun.OfAsync(["test", .. arguments, "--output", PathOf("results")]);

    private string PathOf(string name) => Path.Combine(_folder.FullName, name);
}
