using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Interfaces.CommandLine;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

/// <summary>Verbs that need no gateway.</summary>
public sealed class LocalVerbTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mgba-bridge-verbs-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Script_InAFile_IsTheOneOfThisVersion()
    {
        var file = Path.Combine(_folder, "mgba-bridge.lua");
        var said = await VerbRun.TextAsync("script", file);
        Assert.Equal(await File.ReadAllBytesAsync(Repository.File("lua/mgba-bridge.lua"), Cancelled), await File.ReadAllBytesAsync(file, Cancelled));
        Assert.Contains("0.10", said, StringComparison.Ordinal);
        Assert.Contains($"--script {file}", said, StringComparison.Ordinal);

        // an older one is replaced, also when only the folder is named
        await File.WriteAllTextAsync(file, "local VERSION <const> = \"0.0.1\"\n", Cancelled);
        var answer = JsonDocument.Parse(await VerbRun.TextAsync("script", _folder, "--json")).RootElement;
        Assert.Equal((file, EmbeddedScript.Version), (answer.GetProperty("file").GetString(), answer.GetProperty("version").GetString()));
        Assert.Equal(EmbeddedScript.Version, EmbeddedScript.VersionOf(await File.ReadAllTextAsync(file, Cancelled)));
    }

    [Fact]
    public async Task Script_OverAnotherFile_IsRefusedUnlessForced()
    {
        var file = Path.Combine(_folder, "mine.lua");
        await File.WriteAllTextAsync(file, "print('mine')", Cancelled);
        var refused = await VerbRun.OfAsync("script", file);
        Assert.Equal(ExitCodes.WrongUsage, refused.ExitCode);
        Assert.Contains("--force", refused.Error, StringComparison.Ordinal);
        await VerbRun.TextAsync("script", file, "--force");
        var nowhere = await VerbRun.OfAsync("script", Path.Combine(_folder, "no", "such", "file"));
        Assert.Equal(ExitCodes.FileError, nowhere.ExitCode);
    }

    [Fact]
    public async Task File_OfMoreThanAGatewayAccepts_IsRefused()
    {
        var file = Path.Combine(_folder, "large");
        await using (var large = File.Create(file))
        {
            large.SetLength((64 * 1024 * 1024) + 1);
        }

        var played = await VerbRun.OfAsync("sequence", file);
        Assert.Equal(ExitCodes.WrongUsage, played.ExitCode);
        Assert.Contains($"{file} has more than 67108864 bytes, the most that a gateway accepts.", played.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4, "Standard output cannot be written: No space left on device", "exec \"$@\" > /dev/full")]
    [InlineData(2, "", "exec \"$@\" tcsh 2> /dev/full")]
    [UnsupportedOSPlatform("windows")]
    public async Task Output_ThatCannotBeWritten_IsAnExitCode(int exitCode, string sentence, string script)
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "only Linux has /dev/full");
        await using var verb = GatewayProcess.Start(["sh", "-c", script, "sh"], "completion", "bash");
        Assert.Equal(exitCode, await verb.EndsAsync());
        Assert.Equal(sentence, string.Join('\n', verb.Said));
    }

    /// <summary>Another program that has the same pipe may make it non-blocking, and the reader may be slow.</summary>
    [Fact]
    [UnsupportedOSPlatform("windows")]
    public async Task Output_ToANonBlockingPipeThatIsFull_IsComplete()
    {
        const string Reader = """
            import fcntl, os, struct, subprocess, sys, termios, time
            end, start = os.pipe()
            os.set_blocking(start, False)
            program = subprocess.Popen(sys.argv[1:], stdout=start)
            os.close(start)
            while program.poll() is None and struct.unpack("i", fcntl.ioctl(end, termios.FIONREAD, b"0000"))[0] < 65536:
                time.sleep(0.01)
            print(len(os.fdopen(end, "rb").read()), program.wait(), file=sys.stderr)
            """;
        await using var verb = GatewayProcess.Start(["python3", "-c", Reader], "script", "-");
        Assert.Equal(0, await verb.EndsAsync());
        Assert.Equal($"{EmbeddedScript.Bytes.Length} 0", Assert.Single(verb.Said));
    }

    [Fact]
    public async Task Doctor_WithAFolderThatDoesNotExist_SaysSo()
    {
        var run = await VerbRun.OfAsync("doctor", "--contentRoot=no/such/folder");
        Assert.Equal(ExitCodes.Refused, run.ExitCode);
        Assert.Contains($"problem settings: There is no folder {Path.GetFullPath("no/such/folder/")}. Set --contentRoot", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Version_OfTheProgram_IsThatOfTheScript()
    {
        var version = JsonDocument.Parse(await VerbRun.TextAsync("version", "--json")).RootElement;
        Assert.Equal(version.GetProperty("version").GetString(), version.GetProperty("script").GetString());
        Assert.StartsWith("mgba-bridge 0.", await VerbRun.TextAsync("version"), StringComparison.Ordinal);
        Assert.StartsWith("mgba-bridge 0.", await VerbRun.TextAsync("--version"), StringComparison.Ordinal);
        Assert.StartsWith("mgba-bridge 0.", await VerbRun.TextAsync("-v"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_OfTheProgram_HasAllCommandsInGroupsInTheirOrder()
    {
        var lines = (await VerbRun.TextAsync("help")).Split('\n');
        var groups = new[] { "Start:", "Look after:", "Play and read the game:", "Test:", "This program:", "Operations of the gateway, by resource:" };
        Assert.Equal(groups, lines.Where(groups.Contains));
        var start = lines.SkipWhile(static line => line != "Start:").Skip(1).TakeWhile(static line => line.Length > 0).Select(static line => line.Trim().Split(' ')[0]);
        Assert.Equal(["mcp", "node", "play", "run", "script", "serve"], start);
        Assert.DoesNotContain("Commands:", lines);
        Assert.Equal(await VerbRun.TextAsync("--help"), await VerbRun.TextAsync("help"));
        Assert.Equal(await VerbRun.TextAsync("keys", "tap", "--help"), await VerbRun.TextAsync("help", "keys", "tap"));
    }

    [Fact]
    public async Task Play_OfAGame_IsRunOfIt()
    {
        var game = Path.Combine(_folder, "game.gba");
        await File.WriteAllBytesAsync(game, [], Cancelled);
        var (played, run) = (await SettingsAsync("play", game, "--fps", "0"), await SettingsAsync("run", game, "--fps", "0"));
        Assert.Equal(run, played);
        Assert.Contains($"--Bridge:Owned:Roms:0={game}", played);
        Assert.Contains($"--{RunAnnouncement.Key}={RunAnnouncement.WithBrowser}", played);
        Assert.Contains("the same as run", await VerbRun.TextAsync("play", "--help"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("tpa is not a command. Did you mean tap?", "help", "tpa")]
    [InlineData("tpa is not a command. Did you mean tap?", "tpa", "--help")]
    [InlineData("There is no command mgba-bridge keys tpa. Did you mean tap?", "help", "keys", "tpa")]
    public async Task Help_OfNoCommand_NamesTheNearest(string expected, params string[] arguments)
    {
        var run = await VerbRun.OfAsync(arguments);
        Assert.Equal(ExitCodes.WrongUsage, run.ExitCode);
        Assert.StartsWith(expected, run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bash")]
    [InlineData("zsh")]
    [InlineData("fish")]
    [InlineData("pwsh")]
    public async Task Completion_OfAShell_RequestsSuggestions(string shell) =>
        Assert.Contains("[suggest:", await VerbRun.TextAsync("completion", shell), StringComparison.Ordinal);

    [Fact]
    public async Task Completion_InBash_OffersVerbsAndOptions()
    {
        ShellProgram.Write(Path.Combine(_folder, "mgba-bridge"), $"exec {GatewayProcess.ShellCommand} \"$@\"");
        var script = $$"""
            PATH={{_folder}}:$PATH
            source <(mgba-bridge completion bash)
            offer() { COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1) COMP_CWORD=1; _mgba_bridge; echo "${COMPREPLY[*]}"; }
            offer 'mgba-bridge complet'
            offer 'mgba-bridge keys ta'
            offer 'mgba-bridge tap A --fr'
            """;
        using var bash = Process.Start(new ProcessStartInfo("bash", ["-c", script]) { RedirectStandardOutput = true })!;
        var lines = (await bash.StandardOutput.ReadToEndAsync(Cancelled)).TrimEnd().Split('\n');
        Assert.Equal(["completion", "tap", "--frames"], lines.Select(line => string.Join(' ', line.Split(' ').Order(StringComparer.Ordinal))));
    }

    [Theory]
    [InlineData("mgba-bridge keys t", "tap")]
    [InlineData("mgba-bridge tap --ga", "--gap")]
    [InlineData("mgba-bridge completion f", "fish")]
    [InlineData("mgba-bridge help ta", "tap")]
    [InlineData("mgba-bridge --http-p", "--http-port")]
    [InlineData("mgba-bridge tap U", "Up")]
    [InlineData("mgba-bridge keys set A St", "Start")]
    [InlineData("mgba-bridge tap A+", "A+Up")]
    [InlineData("mgba-bridge watch fr", "frame/60")]
    public async Task Suggestion_ForALine_CompletesIt(string line, string expected) =>
        Assert.Contains(expected, (await VerbRun.TextAsync($"[suggest:{line.Length}]", line)).Split('\n'));

    [Theory]
    [InlineData("run")]
    [InlineData("play")]
    [InlineData("sequence")]
    [InlineData("symbols load")]
    [InlineData("state get")]
    [InlineData("state load")]
    [InlineData("screenshot")]
    public async Task Suggestion_ForAFile_IsInItsFolder(string verb)
    {
        await File.WriteAllTextAsync(Path.Combine(_folder, "walk.txt"), "A 4", Cancelled);
        var line = $"mgba-bridge {verb} {_folder}/wa";
        Assert.Contains($"{_folder}/walk.txt", (await VerbRun.TextAsync($"[suggest:{line.Length}]", line)).Split('\n'));
    }

    [Theory]
    [InlineData("status", "--emulator ")]
    [InlineData("emulators stop", "")]
    public async Task Suggestion_ForAnEmulator_IsOneOfTheGateway(string verb, string option)
    {
        Completions.Timeout = Eventually.TimeLimit; // of no other test's concern
        await using var gateway = GatewayHost.Start(1, ("Emulators:0:Id", "red"));
        var line = $"mgba-bridge {verb} --url {gateway.Client.BaseAddress} {option}";
        Assert.Contains("red", (await VerbRun.TextAsync($"[suggest:{line.Length}]", line)).Split('\n'));
        line = $"mgba-bridge {verb} --url {VerbRun.Nowhere} {option}";
        Assert.DoesNotContain("red", await VerbRun.TextAsync($"[suggest:{line.Length}]", line), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("tap", "--help")]
    public async Task Help_NamesAFolderOfDocuments_ThatExists(params string[] arguments)
    {
        var text = await VerbRun.TextAsync(arguments);
        var folder = text.Split("docs/ is in ")[1].Split('\n')[0].TrimEnd('.');
        Assert.All(Regex.Matches(text, @"docs/[\w-]+\.md").Select(match => match.Value), page => Assert.True(File.Exists(Path.Combine(folder, page)), page));
    }

    [Fact]
    public void Display_OfText_HasNoControlCharacters()
    {
        using var output = new StringWriter();
        using var json = JsonDocument.Parse("""{"title":"\u001b[31mred\u0007","rows":[{"a":"\u001b]0;x\u0007"}]}""");
        new Display(output, isTerminal: false, isJson: false).Value(json.RootElement);
        Assert.DoesNotContain(output.ToString(), letter => char.IsControl(letter) && letter != '\n');
    }

    [Fact]
    public void Display_OfAnEmptyList_SaysThatThereIsNone()
    {
        using var output = new StringWriter();
        using var json = JsonDocument.Parse("""{"agents":[],"last":0}""");
        new Display(output, isTerminal: false, isJson: false).Value(json.RootElement);
        Assert.Equal(["agents: none", "last: 0"], output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
    }

    [Fact]
    public void Table_OnATerminal_HasABorder()
    {
        using var output = new StringWriter();
        new Display(output, isTerminal: true, isJson: false).Table(["id", "state", "empty"], [["1", "ready", ""]]);
        Assert.Contains("│ 1", output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("empty", output.ToString(), StringComparison.Ordinal);
    }

    private static async Task<string[]> SettingsAsync(params string[] arguments) =>
        (await BridgeCommand.RunAsync(arguments, TextWriter.Null, TextWriter.Null)).Settings!;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;
}
