using System.Runtime.Versioning;
using System.Text.Json;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

/// <summary>Verbs against a real gateway and a real core.</summary>
public sealed class VerbTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mgba-bridge-verbs-").FullName;
    private HeadlessEmulator _emulator = null!;
    private GatewayHost _gateway = null!;

    public async ValueTask InitializeAsync()
    {
        _emulator = await HeadlessEmulator.StartAsync(framesPerSecond: 240);
        _gateway = await GatewayHost.ReadyAsync(_emulator.Port);
    }

    public async ValueTask DisposeAsync()
    {
        await _gateway.DisposeAsync();
        await _emulator.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Debugging_TakesPlacesAsArguments()
    {
        await TextAsync("debug", "halt");
        Assert.Contains("0x08000000", await TextAsync("debug", "disassemble", "0x08000000", "--count", "1", "--mode", "arm"), StringComparison.Ordinal);
        Assert.Contains("0x08000004", await TextAsync("debug", "disassemble", "--address", "0x08000004", "--count", "1", "--mode", "arm"), StringComparison.Ordinal);
        Assert.Contains("IME", await TextAsync("debug", "hardware", "interrupts"), StringComparison.Ordinal);
        Assert.Contains("requested", await TextAsync("debug", "step", "to", "0x08FFFFF0", "--frames", "1"), StringComparison.Ordinal);
        Assert.Contains("ADDRESS is given twice", (await RunAsync("debug", "disassemble", "0x08000000", "--address", "0x08000004")).Error, StringComparison.Ordinal);
        await TextAsync("debug", "continue");
    }

    [Fact]
    public async Task StatusAndEmulators_OfAGateway_AreTextOrJson()
    {
        Assert.Contains("state: ready", await TextAsync("status"), StringComparison.Ordinal);
        var rows = (await TextAsync("emulators")).Split('\n');
        Assert.StartsWith("id  state  title", rows[0], StringComparison.Ordinal);
        Assert.StartsWith("1   ready  MGBABRIDGE", rows[1], StringComparison.Ordinal);
        Assert.Equal("ready", (await JsonAsync("emulators"))[0].GetProperty("state").GetString());
        Assert.Equal("1", (await JsonAsync("status", "--emulator", "1")).GetProperty("id").GetString());
    }

    [Fact]
    public async Task Operations_AsVerbs_SendTheirRequests()
    {
        var tap = await JsonAsync("tap", "A", "Up", "--frames", "3", "--wait");
        Assert.Equal(3, tap.GetProperty("up").GetInt64() - tap.GetProperty("down").GetInt64());
        Assert.Contains("down: ", await TextAsync("keys", "tap", "A+B"), StringComparison.Ordinal);
        Assert.Contains("down: ", await TextAsync("tap", "--body", """{"keys":["B"]}"""), StringComparison.Ordinal);
        await TextAsync("keys", "set", "A", "Up", "--holder", "bot");
        var keys = await JsonAsync("keys");
        Assert.Equal("bot", keys.GetProperty("holders")[0].GetProperty("holder").GetString());
        Assert.Contains("bot", await TextAsync("keys", "get"), StringComparison.Ordinal);
        await TextAsync("keys", "release", "--holder", "bot");
        await TextAsync("keys", "sequence", "A 2, wait 2", "--wait");
        Assert.Contains("keys.tap", await TextAsync("operations"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_ThatIsNotMet_HasAnExitCodeOfItsOwn()
    {
        Assert.Contains("met: true", await TextAsync("wait", "u8 0x02000000 eq 77"), StringComparison.Ordinal);
        Assert.Contains("met: true", await TextAsync("wait", "0x02000000 u8be == 77", "--frames", "5"), StringComparison.Ordinal);
        var run = await RunAsync("wait", "0x02000000 u8 == 1", "--frames", "2");
        Assert.Equal((ExitCodes.NotMet, ""), (run.ExitCode, run.Error));
        Assert.Contains("met: false", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_BeforeTheVerb_AreThoseOfTheVerb()
    {
        var url = _gateway.Client.BaseAddress!.ToString();
        Assert.Equal(JsonValueKind.Object, JsonDocument.Parse(await VerbRun.TextAsync("--url", url, "--json", "keys", "tap", "A")).RootElement.ValueKind);
        Assert.Equal("77\n", await VerbRun.TextAsync($"--url={url}", "--emulator", "1", "read", "--", "0x02000000"));
        var twice = await VerbRun.OfAsync("--url", url, "status", "--url", url);
        Assert.Contains("--url is given 2 times", twice.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refusal_OfTheGateway_IsItsSentenceAndExitCode()
    {
        await RefusedAsync("\"Q\"", "tap", "Q");
        await RefusedAsync("No emulator has the id 9.", "tap", "A", "--emulator", "9");
        await RefusedAsync("nosuch", "read", "nosuch");
        await RefusedAsync("", "read", "wram:0xFFFFFFFF", "u32");
        await RefusedAsync("topics", "watch", "nonsense");
    }

    [Fact]
    public async Task ReadAndWrite_ByAddress_AreNumbersListsAndBytes()
    {
        await TextAsync("write", "0x02000100", "0x2a");
        Assert.Equal("42\n", await TextAsync("read", "0x02000100"));
        await TextAsync("write", "wram:0x100", "-5", "s16");
        Assert.Equal("-5\n", await TextAsync("read", "0x02000100", "s16"));
        await TextAsync("write", "0x02000100", "[1,2]", "u16", "--count", "2");
        Assert.Equal("1, 2\n", await TextAsync("read", "0x02000100", "u16", "--count", "2"));
        Assert.Equal("02000100  01 00 02 00  ....\n", (await TextAsync("read", "0x02000100", "--length", "4")).Replace("   ", "", StringComparison.Ordinal));
        await TextAsync("read", "0x02000100", "--length", "4", "--out", File("bytes"));
        Assert.Equal([1, 0, 2, 0], await System.IO.File.ReadAllBytesAsync(File("bytes"), TestContext.Current.CancellationToken));
        Assert.Equal(1, (await JsonAsync("read", "0x02000100", "u16")).GetProperty("value").GetInt32());
    }

    [Fact]
    public async Task Values_OfLists_AreArguments()
    {
        await TextAsync("memory", "write-value", "0x02000100", "1", "2", "--type", "u16", "--count", "2");
        Assert.Equal("1, 2\n", await TextAsync("read", "0x02000100", "u16", "--count", "2"));
        var search = await JsonAsync("search", "u16", "--domains", "wram");
        Assert.Equal("wram:0x0", search.GetProperty("ranges")[0].GetProperty("location").GetString());
    }

    [Fact]
    public async Task ReadAndWrite_ByName_ResolveIt()
    {
        using var content = new ByteArrayContent(await System.IO.File.ReadAllBytesAsync(Repository.File("docs/examples/mgba-bridge-test.elf"), TestContext.Current.CancellationToken));
        using var response = await _gateway.Client.PutAsync(new Uri("/v2/symbols", UriKind.Relative), content, TestContext.Current.CancellationToken);
        response.EnsureSuccessStatusCode();
        var symbols = await _gateway.Client.GetStringAsync(new Uri("/v2/symbols?limit=200", UriKind.Relative), TestContext.Current.CancellationToken);
        using var list = JsonDocument.Parse(symbols);
        var name = list.RootElement.GetProperty("symbols").EnumerateArray().First(symbol => symbol.GetProperty("location").GetString()!.StartsWith("0x02", StringComparison.Ordinal)).GetProperty("name").GetString()!;
        var before = (await TextAsync("read", name, "u8")).Trim();
        await TextAsync("write", name, before, "u8");
        Assert.Equal(before, (await TextAsync("read", name, "u8")).Trim());
    }

    [Fact]
    public async Task ScreenshotAndStates_InFiles_GoBothWays()
    {
        Assert.Contains("Saved", await TextAsync("screenshot", File("picture.png"), "--scale", "2"), StringComparison.Ordinal);
        Assert.Equal("PNG"u8, System.IO.File.ReadAllBytes(File("picture.png")).AsSpan(1, 3));
        await TextAsync("screen", "pixels", "--grey", "--out", File("grey"));
        await TextAsync("screen", "pixels", "--grey", "false", "--out", File("colours"));
        Assert.Equal(3 * System.IO.File.ReadAllBytes(File("grey")).Length, System.IO.File.ReadAllBytes(File("colours")).Length);
        await TextAsync("state", "get", File("a.ss"));
        Assert.Contains("frame: ", await TextAsync("state", "load", File("a.ss")), StringComparison.Ordinal);
        await TextAsync("state", "save", "--slot", "1");
        await TextAsync("state", "load", "--slot", "1", "--flags", "29");
        var missing = await RunAsync("state", "load", File("missing"));
        Assert.Equal(ExitCodes.FileError, missing.ExitCode);
        Assert.Contains("there is no such file or folder", missing.Error, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.FileError, (await RunAsync("screenshot", _folder)).ExitCode);
        Assert.Contains("FILE is empty; name a file.", (await RunAsync("screenshot", "")).Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Play_OfAFile_PressesItsSteps()
    {
        await System.IO.File.WriteAllTextAsync(File("steps"), $"# walk\nUp 2, wait 1\n{string.Concat(Enumerable.Repeat("A 1, wait 1\n", 300))}", TestContext.Current.CancellationToken);
        Assert.Contains("up: ", await TextAsync("sequence", File("steps")), StringComparison.Ordinal);
        Assert.Contains("lag: 0", await TextAsync("sequence", File("steps"), "--waiting", "replace", "--gap", "1"), StringComparison.Ordinal);
        await System.IO.File.WriteAllTextAsync(File("steps"), "A 4\nUp soon\n", TestContext.Current.CancellationToken);
        var run = await RunAsync("sequence", File("steps"));
        Assert.Equal(ExitCodes.WrongUsage, run.ExitCode);
        Assert.Contains("line 2: \"Up soon\" is not a step", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Watch_OfATopic_WritesEvents()
    {
        var lines = (await TextAsync("watch", "frame/2", "game", "--count", "3")).TrimEnd().Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.All(lines, line => Assert.StartsWith("frame frame=", line, StringComparison.Ordinal));
        Assert.Equal("frame/2", (await JsonAsync("watch", "frame/2", "--count", "1")).GetProperty("topic").GetString());
    }

    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Watch_WhoseReaderHasGone_Ends()
    {
        await using var watch = GatewayProcess.Start(["sh", "-c", "{ \"$@\"; echo $? >&2; } | head -n 1", "sh"], WithUrl(["watch", "frame"]));
        await watch.EndsAsync();
        Assert.Contains(watch.Said, line => line.StartsWith("frame frame=", StringComparison.Ordinal));
        Assert.Contains("0", watch.Said);
    }

    private string File(string name) => Path.Combine(_folder, name);

    private string[] WithUrl(string[] arguments) => [.. arguments, "--url", _gateway.Client.BaseAddress!.ToString()];

    private Task<VerbRun> RunAsync(params string[] arguments) => VerbRun.OfAsync(WithUrl(arguments));

    private Task<string> TextAsync(params string[] arguments) => VerbRun.TextAsync(WithUrl(arguments));

    private async Task<JsonElement> JsonAsync(params string[] arguments) => JsonDocument.Parse(await TextAsync([.. arguments, "--json"])).RootElement.Clone();

    private async Task RefusedAsync(string sentence, params string[] arguments)
    {
        var run = await RunAsync(arguments);
        Assert.Contains(sentence, run.Error, StringComparison.Ordinal);
        Assert.Equal((ExitCodes.Refused, ""), (run.ExitCode, run.Output));
    }
}
