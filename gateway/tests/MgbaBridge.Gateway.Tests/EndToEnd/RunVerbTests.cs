using MgbaBridge.Gateway.Tests.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary><c>mgba-bridge run</c> as a process of its own.</summary>
[Collection(nameof(Alone))]
public sealed class RunVerbTests
{
    [Fact]
    public async Task Run_WithoutAGame_PlaysTheBundledOneAndSavesItAtTheEnd()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var ready = Path.Combine(folder.FullName, "ready");
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}", $"READY_FILE={ready}"], "run", "--port=0", "--no-browser"))
        {
            await Eventually.Is(() => run.Said.Any(line => line.Contains("End both:", StringComparison.Ordinal)));
            await Eventually.Is(() => File.Exists(ready));
            var said = File.ReadAllLines(ready).Select(line => line.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]);
            using var client = new HttpClient { BaseAddress = new Uri(said["BASE_URL"]) };
            Assert.Contains("MGBABRIDGE", await client.GetStringAsync("/v2/game", TestContext.Current.CancellationToken), StringComparison.Ordinal);
            var doctor = await VerbRun.OfAsync("doctor", $"--http-port={client.BaseAddress.Port}");
            Assert.DoesNotContain("no script listens", doctor.Output, StringComparison.Ordinal); // its emulator is on a port of its own
            Assert.Equal(0, await run.TerminateAsync());
            Assert.Contains("Ended.", run.Said);
            Assert.False(Directory.Exists($"/proc/{said["EMULATOR_PID"]}"));
            Assert.True(File.Exists(Path.Combine(folder.FullName, "mgba-bridge", "1", "games", "mgba-bridge-test.gba")));
        }

        folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData(2, "does not exist", "run", "/nonexistent.gba")]
    [InlineData(2, "is a folder", "run", "/")]
    [InlineData(1, "did not start", "run", "/etc/hostname", "--port=0")]
    [InlineData(1, "was not found|does not exist", "run", "--port=0", "--window")]
    public async Task Run_OfWhatCannotRun_SaysSoInOneSentence(int code, string sentence, params string[] arguments)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}", "Bridge__Owned__WindowProgram=/nonexistent/mgba-qt"], arguments))
        {
            Assert.Equal(code, await run.EndsAsync());
            var line = Assert.Single(run.Said);
            Assert.Matches(sentence, line);
        }

        folder.Delete(recursive: true);
    }
}
