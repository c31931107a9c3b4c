using System.Text.Json;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Benchmark;

/// <summary><c>mgba-bridge bench</c>.</summary>
[Collection(nameof(Alone))]
public sealed class BenchVerbTests
{
    [Fact]
    public async Task Bench_OfThisMachine_ComparesTheGatewayWithTheBaseline()
    {
        var answer = JsonDocument.Parse(await VerbRun.TextAsync("bench", "--seconds", "4", "--json")).RootElement;
        Assert.Equal([1, 64], answer.GetProperty("rows").EnumerateArray().Select(row => row.GetProperty("connections").GetInt32()));
        foreach (var row in answer.GetProperty("rows").EnumerateArray())
        {
            foreach (var program in new[] { "baseline", "gateway" })
            {
                Assert.All(row.GetProperty(program).EnumerateObject(), value => Assert.True(value.Value.GetDouble() > 0, $"{program}: {value}"));
                Assert.True(row.GetProperty(program).GetProperty("p50Ms").GetDouble() <= row.GetProperty(program).GetProperty("p99Ms").GetDouble());
            }

            Assert.All(row.GetProperty("ratio").EnumerateObject(), value => Assert.True(value.Value.GetDouble() > 0, $"ratio: {value}"));
        }
    }

    [Fact]
    public async Task Bench_OfAnEmulatorThatPrintsMuch_Ends()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");
        try
        {
            var program = ShellProgram.Write(Path.Combine(folder.FullName, "mgba-headless"), $"yes | head -c 200000 >&2\nexec '{Repository.File("headless/build/mgba-headless")}' \"$@\"");
            await using var bench = GatewayProcess.Start(["env", $"Bridge__Owned__HeadlessProgram={program}"], "bench", "--seconds", "1");
            Assert.Equal(0, await bench.EndsAsync());
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Bench_WithoutAnEmulator_SaysWhatToInstall()
    {
        await using var bench = GatewayProcess.Start(["env", "Bridge__Owned__HeadlessProgram=/nonexistent/mgba-headless"], "bench");
        Assert.Equal(1, await bench.EndsAsync());
        Assert.Contains("/nonexistent/mgba-headless", Assert.Single(bench.Said), StringComparison.Ordinal);
    }
}
