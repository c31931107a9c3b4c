using System.CommandLine;
using MgbaBridge.Gateway.Interfaces.CommandLine;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

public sealed class ArgumentErrorTests
{
    // verbs that need no gateway
    private static readonly string[] Local = ["script", "version", "completion", "bench", "test"];

    public static TheoryData<string> Verbs => [.. Paths(BridgeCommand.Create([], _ => { }), "")];

    [Theory]
    [InlineData("stauts is not a command. Did you mean status?", "stauts")]
    [InlineData("5001 is not a command.", "5001")]
    [InlineData("-V is not a switch; write --name=value. Did you mean -v?", "-V")]
    [InlineData("-url is not a switch; write --name=value. Did you mean --urls?", "-url")]
    [InlineData("There is no switch --versoin. Did you mean --version?", "--versoin")]
    [InlineData("There is no command mgba-bridge keys tpa. Did you mean tap?", "keys", "tpa")]
    [InlineData("mgba-bridge rom needs a command: load", "rom")]
    [InlineData("There is no option --frmes. Did you mean --frames?", "tap", "A", "--frmes", "4")]
    [InlineData("There is no option --frmes. Did you mean --frames?", "tap", "A", "--frmes=4")]
    [InlineData("There is no option -x.", "status", "-x")]
    [InlineData("--frames needs a value", "tap", "A", "--frames")]
    [InlineData("The option before --gap needs a value.", "tap", "A", "--frames", "--gap", "2")]
    [InlineData("--frames comes after the command: mgba-bridge wait --frames.", "--frames", "4", "--url", "http://127.0.0.1:1", "wait")]
    [InlineData("There is no option --frmes. Did you mean --frames?", "--url", "http://127.0.0.1:1", "--frmes", "4", "tap", "A")]
    [InlineData("PAUSED is \"maybe\"; expected true or false.", "agents", "change", "1", "maybe")]
    [InlineData("PAUSED is given twice: as true and as --paused false.", "agents", "change", "1", "true", "--paused", "false")]
    [InlineData("mgba-bridge agents change needs PAUSED.", "agents", "change", "1")]
    [InlineData("mgba-bridge properties load needs FILE; - is standard input.", "properties", "load")]
    [InlineData("FRAMES is \"many\"; expected an integer from 1 to 36000.", "tap", "A", "--frames", "many")]
    [InlineData("FRAMES is \"1.5\"; expected an integer from 1 to 36000.", "keys", "tap", "A", "--frames", "1.5")]
    [InlineData("FRAMES has 2 values, 1 and 2; expected one.", "tap", "A", "--frames", "1", "--frames", "2")]
    [InlineData("KEYS is given twice: as A and as --keys B.", "tap", "A", "--keys", "B")]
    [InlineData("mgba-bridge tap needs KEYS.", "tap")]
    [InlineData("--body is not JSON", "tap", "--body", "{")]
    [InlineData("leave out keys, or --body", "tap", "A", "--body", "{}")]
    [InlineData("--holder is not valid", "tap", "A", "--holder", "two\nlines")]
    [InlineData("mgba-bridge read needs LOCATION.", "read")]
    [InlineData("LOCATION is empty.", "read", "")]
    [InlineData("more is one argument too many.", "read", "0x02000000", "u8", "more")]
    [InlineData("--out saves bytes", "read", "0x02000000", "--out", "file")]
    [InlineData("LOCATION is \"0xZZ\"; expected an address", "read", "0xZZ")]
    [InlineData("mgba-bridge write needs LOCATION and VALUE. mgba-bridge write --help shows how it is used.", "write")]
    [InlineData("--count is given 2 times; give it once.", "read", "--count", "1", "--count", "2")]
    [InlineData("--url is given 2 times; give it once.", "status", "--url", "http://127.0.0.1:1", "--url", "http://127.0.0.1:2")]
    [InlineData("mgba-bridge write needs VALUE.", "write", "0x02000000")]
    [InlineData("VALUE is \"many\"; expected a number", "write", "0x02000000", "many")]
    [InlineData("VALUE is \"[1,2\"; expected a number", "write", "player.hp", "[1,2", "u16")]
    [InlineData("TYPE is \"u7\"; expected u8, ", "search", "u7")]
    [InlineData("--emulator is empty", "status", "--emulator", "")]
    [InlineData("SLOT is \"one\"; expected an integer", "state", "save", "--slot", "one")]
    [InlineData("more is one argument too many.", "screenshot", "file", "more")]
    [InlineData("--seconds is 0; expected 1 to 600.", "bench", "--seconds", "0")]
    [InlineData("mgba-bridge test needs PATH.", "test")]
    [InlineData("--jobs is 0; expected 1 to 256.", "test", "a.yaml", "--jobs", "0")]
    [InlineData("mgba-bridge sequence needs FILE.", "sequence")]
    [InlineData("FILE is empty; name a file.", "sequence", "")]
    [InlineData("FILE is empty; name a file.", "script", "")]
    [InlineData("The response is a file; save it with --out FILE, and --json describes it.", "record", "download", "1", "--json")]
    [InlineData("mgba-bridge watch needs TOPIC.", "watch")]
    [InlineData("--count is 0; expected 1 or more.", "watch", "game", "--count", "0")]
    [InlineData("mgba-bridge completion needs bash|zsh|fish|pwsh.", "completion")]
    [InlineData("There is no completion script for tcsh; expected bash, zsh, fish, pwsh.", "completion", "tcsh")]
    [InlineData("more is one argument too many.", "version", "more")]
    [InlineData("--role is \"king\"; expected guest, owner, player, viewer.", "token", "--role", "king")]
    [InlineData("ROM is empty; name a GBA, GB or GBC ROM.", "run", "")]
    [InlineData("There is no option --prot. Did you mean --port?", "run", "--prot", "5001")]
    [InlineData("--port is \"http\"; expected an integer.", "run", "--port", "http")]
    [InlineData("--fps is \"fast\"; expected a number.", "run", "--fps", "fast")]
    [InlineData("--Bridge:Owned:Fps needs a value", "run", "--Bridge:Owned:Fps")]
    [InlineData("--urls is a setting of the gateway, not an option of mgba-bridge version.", "--urls", "http://127.0.0.1:1", "version")]
    [InlineData("There is no option --http-port.", "status", "--http-port", "5001")]
    [InlineData("There is no switch --htp-port. Did you mean --http-port?", "serve", "--htp-port=5001")]
    [InlineData("The gateway's URL is \"nonsense\"; expected an http or https URL", "status", "--url", "nonsense")]
    [InlineData("The gateway's URL is \"ftp://127.0.0.1\"", "status", "--url", "ftp://127.0.0.1")]
    [InlineData("The token is not valid", "status", "--token", "two words")]
    public async Task Verb_WithWrongArguments_NamesTheError(string sentence, params string[] arguments)
    {
        var run = await VerbRun.OfAsync(arguments);
        Assert.Contains(sentence, run.Error, StringComparison.Ordinal);
        Assert.Equal((ExitCodes.WrongUsage, ""), (run.ExitCode, run.Output));
    }

    [Fact]
    public async Task Sentence_AboutALongValue_IsShortened()
    {
        var run = await VerbRun.OfAsync("status", "--url", new string('x', 20_000));
        Assert.Matches("^The gateway's URL is \"x+ \\[[0-9]+ characters\\] x+\"; expected an http or https URL", run.Error);
        Assert.InRange(run.Error.Length, 1_000, 1_100);
    }

    [Theory]
    [InlineData("as --Bridge:Section:Name=value", "doctor")]
    [InlineData("How it is compared. One of eq, ne,", "search", "refine")]
    public async Task Help_NamesValuesAndSettings(string text, params string[] verb)
    {
        var help = await VerbRun.TextAsync([.. verb, "--help"]);
        Assert.Contains(text, string.Join(' ', help.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        Assert.DoesNotContain("dditional arguments", help, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("emulators", "start", "game.gba", "--url", "http://127.0.0.1:1")]
    [InlineData("emulators", "--url", "http://127.0.0.1:1", "start", "game.gba")]
    [InlineData("emulators", "--url=http://127.0.0.1:1", "--json", "start", "game.gba")]
    public async Task VerbBelowAnother_BehindAnOption_IsFound(params string[] arguments)
    {
        var run = await VerbRun.OfAsync(arguments);
        Assert.StartsWith("No gateway is reachable at http://127.0.0.1:1", run.Error, StringComparison.Ordinal);
        Assert.Equal((ExitCodes.NotReachable, ""), (run.ExitCode, run.Output));
    }

    [Theory]
    [InlineData("write")]
    [InlineData("read", "--count", "1", "--count", "2")]
    [InlineData("sequence", "--gap")]
    [InlineData("--tokn", "x", "status")]
    [InlineData("doctor", "--url", "http://127.0.0.1:1")]
    public async Task SeveralErrors_OfArguments_AreOneSentence(params string[] arguments)
    {
        var run = await VerbRun.OfAsync(arguments);
        Assert.Single(run.Error.TrimEnd().Split('\n'));
    }

    [Fact]
    public async Task Verb_ThatIsNoneOfAGroup_HasOneSentence()
    {
        var run = await VerbRun.OfAsync("fleet", "stat");
        Assert.StartsWith("There is no command mgba-bridge fleet stat. Did you mean status?", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Verb_WithSeveralWrongOptions_NamesThemAll()
    {
        var run = await VerbRun.OfAsync("tap", "A", "--frmes", "4", "--gpa", "2");
        Assert.Contains("--frmes", run.Error, StringComparison.Ordinal);
        Assert.Contains("Did you mean --gap?", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task EveryVerb_WithNonsense_SaysSoInASentence(string verb)
    {
        string[] words = verb.Split(' ');
        var misspelled = await VerbRun.OfAsync([.. words, "--hlp"]);
        Assert.Equal(ExitCodes.WrongUsage, misspelled.ExitCode);
        Assert.Contains("--help", misspelled.Error, StringComparison.Ordinal);

        var nonsense = await VerbRun.OfAsync([.. words, .. Enumerable.Repeat("\u0001nonsense", 12), .. Local.Contains(words[0]) || words[0] == "serve" ? [] : new[] { "--url", VerbRun.Nowhere }]);
        Assert.Contains(nonsense.ExitCode, new[] { ExitCodes.WrongUsage, ExitCodes.NotReachable, ExitCodes.FileError, verb == "doctor" ? ExitCodes.Refused : ExitCodes.WrongUsage }); // doctor reports ROMs that do not exist
        Assert.DoesNotContain("   at ", nonsense.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("mgba-bridge failed", nonsense.Error, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task EveryVerb_OnRequest_ShowsItsHelp(string verb)
    {
        var help = await VerbRun.TextAsync([.. verb.Split(' '), "--help"]);
        Assert.Contains($"Usage:\n  mgba-bridge {verb.Split(' ')[0]} ", help, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Help_OfAVerbThatHasOthersBelowIt_ListsThem() =>
        Assert.Contains("restart", await VerbRun.TextAsync("emulators", "--help"), StringComparison.Ordinal);

    [Fact]
    public async Task EveryVerbOfAClient_WithoutAGateway_SaysHowToStartOne()
    {
        foreach (var arguments in new string[][] { ["status"], ["emulators"], ["tap", "A"], ["read", "0x02000000"], ["screenshot", "-"], ["watch", "game"], ["keys"], ["freezes", "set", "0x02000000", "5"] })
        {
            var run = await VerbRun.OfAsync([.. arguments, "--url", VerbRun.Nowhere]);
            Assert.Equal((ExitCodes.NotReachable, ""), (run.ExitCode, run.Output));
            Assert.Contains("Start one with `mgba-bridge run`, or set --url or MGBA_BRIDGE_URL.", run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void EveryOperation_IsAVerb()
    {
        var root = new RootCommand();
        OperationVerbs.AddTo(new VerbTree(root, []));
        var verbs = Paths(root, "").ToHashSet();
        Assert.All(OperationCatalog.All, operation => Assert.True(
            operation.Statuses.Any(response => response.Status == 101) || verbs.Contains(string.Join(' ', operation.Name.Split('.').Select(OperationFields.Kebab))), operation.Name));
    }

    [Fact]
    public void EveryOption_OfEveryVerb_HasANameOfItsOwn()
    {
        foreach (string verb in Verbs.Select(row => row.Data))
        {
            Command command = BridgeCommand.Create(verb.Split(' '), _ => { });
            foreach (var word in verb.Split(' '))
            {
                command = command.Subcommands.First(below => below.Name == word);
            }

            var names = command.Options.SelectMany(option => option.Aliases.Append(option.Name)).ToArray();
            Assert.True(names.Length == names.Distinct().Count(), $"{verb}: {string.Join(", ", names.GroupBy(name => name).Where(same => same.Count() > 1).Select(same => same.Key))}");
        }
    }

    [Fact]
    public async Task Verb_WithAPropertyNamedLikeACommonOption_TakesIt()
    {
        var help = await VerbRun.TextAsync("lease", "take", "--help");
        Assert.Contains("--lease-token", help, StringComparison.Ordinal);
        Assert.Contains("--token", help, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Completion_AsJson_HasTheScript()
    {
        using var answer = System.Text.Json.JsonDocument.Parse(await VerbRun.TextAsync("completion", "bash", "--json"));
        Assert.Contains("_mgba_bridge", answer.RootElement.GetProperty("script").GetString(), StringComparison.Ordinal);
    }

    private static IEnumerable<string> Paths(Command command, string prefix) => command.Subcommands.SelectMany(verb =>
        Paths(verb, $"{prefix}{verb.Name} ").Prepend($"{prefix}{verb.Name}"));
}
