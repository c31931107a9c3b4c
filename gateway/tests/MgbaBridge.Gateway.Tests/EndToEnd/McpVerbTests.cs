using System.Diagnostics;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary><c>mgba-bridge mcp</c> as a process of its own, as agents start it, beside gateways that run.</summary>
[Collection(nameof(DefaultPort))]
public sealed class McpVerbTests : IDisposable
{
    private readonly DirectoryInfo _folder = OwnedGateway.Prepare();

    private string Rom => Path.Combine(_folder.FullName, "roms", "test.gba");

    private string OtherRom => Path.Combine(_folder.FullName, "roms", "test.gb");

    [Fact]
    public async Task Mcp_WithARomBesideAGateway_PlaysItInAGatewayOfItsOwn()
    {
        await using var run = await StartRunAsync();
        await using (var agent = StdioAgent.Start([$"Bridge__Owned__DataFolder={_folder.FullName}/agent"], "mcp", OtherRom, "--paused"))
        {
            var listed = await agent.CallAsync("emulators");
            var emulator = Assert.Single(listed.GetProperty("emulators").EnumerateArray());
            Assert.Equal(Path.GetDirectoryName(OtherRom), Assert.Single(listed.GetProperty("romFolders").EnumerateArray()).GetString());
            Assert.Equal(["test.gb", "test.gba"], listed.GetProperty("roms").EnumerateArray().Select(rom => rom.GetString()));
            Assert.Equal((OtherRom, "paused"), (emulator.GetProperty("rom").GetString(), emulator.GetProperty("state").GetString()));
            Assert.Single(OwnedGateway.HeadlessOf(OtherRom));
            Assert.Equal(0, await agent.LeaveAsync());
        }

        await Eventually.Is(() => OwnedGateway.HeadlessOf(OtherRom).Length == 0);
        Assert.Single(OwnedGateway.HeadlessOf(Rom));
        Assert.False(run.HasEnded);
    }

    [Fact]
    public async Task Mcp_WithTheUrlOfAGateway_PlaysThereAndLeavesItRunning()
    {
        await using var run = await StartRunAsync();
        await using (var agent = StdioAgent.Start([$"MGBA_BRIDGE_URL={UrlOf(run)}"], "mcp"))
        {
            var emulator = Assert.Single((await agent.CallAsync("emulators")).GetProperty("emulators").EnumerateArray());
            Assert.Equal(Rom, emulator.GetProperty("rom").GetString());
            Assert.Equal(0, await agent.LeaveAsync());
        }

        Assert.Single(OwnedGateway.HeadlessOf(Rom));
        Assert.False(run.HasEnded);
    }

    [Fact]
    public async Task Mcp_OfAGatewayWithTokens_UsesTheTokenOfTheEnvironment()
    {
        var made = JsonDocument.Parse(await VerbRun.TextAsync("token", "--role=viewer", "--json")).RootElement;
        var (token, setting) = (made.GetProperty("token").GetString(), $"Bridge__Http__Tokens__0={made.GetProperty("setting").GetString()}");
        await using var run = await StartRunAsync(setting);
        await using (var unauthorized = StdioAgent.Start([$"MGBA_BRIDGE_URL={UrlOf(run)}", "MGBA_BRIDGE_TOKEN=wrong"], "mcp"))
        {
            Assert.Contains("oken", await unauthorized.ErrorAsync(), StringComparison.Ordinal);
        }

        // of a gateway that runs, and of one that it starts
        foreach (var (environment, game) in new[] { (new[] { $"MGBA_BRIDGE_URL={UrlOf(run)}" }, Array.Empty<string>()), ([setting, $"Bridge__Owned__DataFolder={_folder.FullName}/agent"], [OtherRom]) })
        {
            await using var agent = StdioAgent.Start([$"MGBA_BRIDGE_TOKEN={token}", .. environment], ["mcp", .. game]);
            Assert.Equal("ready", (await agent.CallAsync("emulators")).GetProperty("emulators")[0].GetProperty("state").GetString());
            Assert.Equal(0, await agent.LeaveAsync());
        }
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private async Task<GatewayProcess> StartRunAsync(params string[] environment)
    {
        var run = GatewayProcess.Start(["env", .. environment], "run", Rom, "--json", $"--Bridge:Owned:DataFolder={_folder.FullName}/data");
        await Eventually.Is(() => run.HasEnded || run.Said.Any(IsReport));
        Assert.False(run.HasEnded, string.Join(Environment.NewLine, run.Said));
        return run;
    }

    private static string UrlOf(GatewayProcess run) => JsonDocument.Parse(run.Said.First(IsReport)).RootElement.GetProperty("url").GetString()!;

    private static bool IsReport(string line) => line.StartsWith('{');

    /// <summary>An agent that starts its server itself, and speaks by lines of JSON.</summary>
    private sealed class StdioAgent : IAsyncDisposable
    {
        private readonly Process _process;
        private int _lastId;
        private bool _initialized;

        private StdioAgent(Process process) => _process = process;

        public static StdioAgent Start(string[] environment, params string[] arguments)
        {
            var command = GatewayProcess.CommandOf(["env", "MGBA_BRIDGE_URL=", .. environment], arguments);
            var start = new ProcessStartInfo(command[0], command[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true };
            GatewayProcess.BePatient(start);
            return new StdioAgent(Process.Start(start)!);
        }

        /// <summary>The structured result of a tool.</summary>
        public async Task<JsonElement> CallAsync(string tool)
        {
            await InitializeAsync();
            var answer = await RequestAsync("tools/call", $$$"""{"name":"{{{tool}}}","arguments":{}}""");
            return answer.GetProperty("result").GetProperty("structuredContent");
        }

        /// <summary>The message of the error that initialize gets.</summary>
        public async Task<string> ErrorAsync() => (await AskInitializeAsync()).GetProperty("error").GetProperty("message").GetString()!;

        /// <summary>Ends the input, and waits until the program has ended.</summary>
        public async Task<int> LeaveAsync()
        {
            _process.StandardInput.Close();
            await _process.WaitForExitAsync(TestContext.Current.CancellationToken).WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken);
            return _process.ExitCode;
        }

        public ValueTask DisposeAsync() => GatewayProcess.EndAsync(_process);

        private async Task InitializeAsync()
        {
            if (!_initialized)
            {
                _initialized = true;
                Assert.Equal("mgba-bridge", (await AskInitializeAsync()).GetProperty("result").GetProperty("serverInfo").GetProperty("name").GetString());
                await _process.StandardInput.WriteLineAsync("""{"jsonrpc":"2.0","method":"notifications/initialized"}""");
            }
        }

        private Task<JsonElement> AskInitializeAsync() =>
            RequestAsync("initialize", $$$"""{"protocolVersion":"{{{McpCaller.WithSession}}}","capabilities":{},"clientInfo":{"name":"test-agent","version":"1.0"}}""");

        private async Task<JsonElement> RequestAsync(string method, string parameters)
        {
            var id = ++_lastId;
            await _process.StandardInput.WriteLineAsync($$$"""{"jsonrpc":"2.0","id":{{{id}}},"method":"{{{method}}}","params":{{{parameters}}}}""");
            await _process.StandardInput.FlushAsync(TestContext.Current.CancellationToken);
            while (await _process.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken).AsTask().WaitAsync(Eventually.TimeLimit, TestContext.Current.CancellationToken) is { } line)
            {
                var message = JsonDocument.Parse(line).RootElement; // nothing else may be on standard output
                if (message.TryGetProperty("id", out var answered) && answered.GetInt32() == id)
                {
                    return message;
                }
            }

            throw new EndOfStreamException($"mcp ended before it answered {method}.");
        }
    }
}
