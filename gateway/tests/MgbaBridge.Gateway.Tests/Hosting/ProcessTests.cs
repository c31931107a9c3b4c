using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Hosting;

/// <summary>How the program starts, stops, and takes a changed settings file.</summary>
public sealed class ProcessTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Port_InUse_IsSaidOnce()
    {
        using var other = new TcpListener(IPAddress.Loopback, 0);
        other.Start();
        await using var gateway = GatewayProcess.Start([], $"--http-port={Text(((IPEndPoint)other.LocalEndpoint).Port)}");
        Assert.Equal(3, await gateway.EndsAsync());
        Assert.Single(gateway.Said, line => line.Contains("address already in use", StringComparison.Ordinal));
        Assert.Contains(gateway.Said, line => line.Contains("--http-port", StringComparison.Ordinal));
        Assert.DoesNotContain(gateway.Said, line => line.Contains("   at ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Page_IsNamedBeforeAnEmulatorIsThere()
    {
        await using var gateway = GatewayProcess.Start([], "serve", "--http-port=0", "--emulator-port=1");
        var port = await gateway.ListensAsync();
        await Eventually.Is(() => gateway.Said.Any(line => line.EndsWith($"The page is at http://127.0.0.1:{Text(port)}/", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(3, "cannot listen", "--urls=http://192.0.2.1:5000", "--Bridge:Http:Token=0123456789abcdef")]
    [InlineData(2, "Bridge:Http:Token", "--urls=http://192.0.2.1:5000")]
    [InlineData(2, "Did you mean --http-port?", "--htp-port=5000")]
    [InlineData(2, "nonsense is not a switch", "nonsense")]
    [InlineData(2, "--nonce needs a value", "--nonce")]
    [InlineData(2, "no/such/folder/. Set --contentRoot to the folder of appsettings.json", "--contentRoot=no/such/folder")]
    [InlineData(2, "such as 00:00:01", "--Bridge:Transport:SilenceTimeout=soon")]
    [InlineData(2, "RequestTimeout", "--Bridge:Transport:RequestTimeout=00:00:00")]
    [InlineData(2, "The gateway cannot listen at \"nonsense\"; expected a URL such as http://127.0.0.1:5000.", "--urls=nonsense")]
    [InlineData(2, "it speaks http only", "--urls=https://127.0.0.1:0")]
    [InlineData(2, "leave out the path /path", "--urls=http://127.0.0.1:0/path")]
    [InlineData(2, "Bridge:Fleet:Certificate cannot be used", "--Bridge:Fleet:Database=Host=127.0.0.1", "--Bridge:Fleet:Certificate=/nonexistent.pem", "--Bridge:Fleet:CertificateAuthority=/nonexistent.pem")]
    public async Task Start_ThatCannotBe_IsOneSentenceAndAnExitCode(int exitCode, string said, params string[] arguments)
    {
        await using var gateway = GatewayProcess.Start([], ["--http-port=0", .. arguments]);
        Assert.Equal(exitCode, await gateway.EndsAsync());
        Assert.Single(gateway.Said, line => line.Contains(said, StringComparison.Ordinal));
        Assert.DoesNotContain(gateway.Said, line => line.Contains("   at ", StringComparison.Ordinal) || line.Contains("Unhandled", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_WithAFolderThatCannotBeWritten_NamesTheSettingInOneSentence()
    {
        await using var gateway = GatewayProcess.Start([], "run", "--no-browser", "--port=0", "--Bridge:Owned:DataFolder=/dev/null");
        Assert.Equal(1, await gateway.EndsAsync());
        var said = Assert.Single(gateway.Said);
        Assert.StartsWith("/dev/null cannot be used: ", said, StringComparison.Ordinal);
        Assert.EndsWith("Set Bridge:Owned:DataFolder to a folder that you alone can write.", said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(2, "serve", "--http-port=0")]
    [InlineData(2, "run", "--no-browser", "--port=0")]
    [InlineData(4, "script")]
    public async Task Program_InAFolderThatIsDeleted_SaysSo(int exitCode, params string[] arguments)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-deleted-").FullName;
        await using var gateway = GatewayProcess.Start(["sh", "-c", "cd \"$0\" && rmdir \"$0\" && exec \"$@\"", folder], arguments);
        Assert.Equal(exitCode, await gateway.EndsAsync());
        Assert.Equal("The current folder does not exist any more. Change to another one.", Assert.Single(gateway.Said));
    }

    [Fact]
    public void SettingsFile_ThatMayNotBeRead_IsAMatterOfTheSettings() =>
        Assert.True(StartFailures.IsOfTheSettings(new UnauthorizedAccessException("Access to the path '/etc/mgba-bridge/appsettings.json' is denied.")));

    [Theory]
    [InlineData("--help", "--emulator-port")]
    [InlineData("--version", "mgba-bridge 0.")]
    public async Task Question_AboutTheProgram_IsAnsweredWithoutAStart(string switched, string said)
    {
        await using var gateway = GatewayProcess.Start([], switched);
        Assert.Equal(0, await gateway.EndsAsync());
        Assert.Contains(gateway.Said, line => line.Contains(said, StringComparison.Ordinal));
        Assert.DoesNotContain(gateway.Said, line => line.Contains("listening", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0, "0.1", "version")]
    [InlineData(0, "_mgba_bridge", "completion", "bash")]
    [InlineData(2, "stauts is not a command. Did you mean status?", "stauts")]
    [InlineData(2, "There is no option --frmes. Did you mean --frames?", "tap", "A", "--frmes", "4")]
    [InlineData(3, "No gateway is reachable at http://127.0.0.1:1/", "status", "--url", "http://127.0.0.1:1")]
    public async Task Verb_OfTheProgram_EndsWithAnExitCodeAndPlainText(int exitCode, string said, params string[] arguments)
    {
        await using var program = GatewayProcess.Start([], arguments);
        Assert.Equal(exitCode, await program.EndsAsync());
        Assert.Contains(program.Said, line => line.Contains(said, StringComparison.Ordinal));
        Assert.DoesNotContain(program.Said, line => line.Contains("   at ", StringComparison.Ordinal) || line.Contains('\e'));
    }

    [Fact]
    public async Task SettingsFile_ThatIsBroken_IsSaid()
    {
        using var folder = new SettingsFolder("""{ "Bridge": { "HttpPort": }""");
        await using var gateway = GatewayProcess.Start([], $"--contentRoot={folder.Path}");
        Assert.Equal(2, await gateway.EndsAsync());
        Assert.Contains("appsettings.json", Assert.Single(gateway.Said), StringComparison.Ordinal);
    }

    [Fact]
    public async Task SettingsFile_ThatChanges_AppliesAtOnceWhereItCan()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => null });
        using var folder = new SettingsFolder(Transport("00:00:00.100"));
        string[] withTheFile = ["env", "-u", GatewayProcess.VariableOf("Transport:RequestTimeout")]; // the environment goes before it
        await using var gateway = await GatewayProcess.ReadyAsync(withTheFile, fake.Port, "--http-port=0", $"--contentRoot={folder.Path}");
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{Text(await gateway.ListensAsync())}") };
        Assert.Contains("within 100 ms", await DetailAsync(client), StringComparison.Ordinal);
        folder.Write(Transport("00:00:00.150"));
        await SaysAsync(gateway, "Bridge:Transport:RequestTimeout is now 00:00:00.1500000.");
        Assert.Contains("within 150 ms", await DetailAsync(client), StringComparison.Ordinal);
        folder.Write(Transport("00:00:00"));
        await SaysAsync(gateway, "Bridge:Transport:RequestTimeout is 00:00:00; expected 10 ms..10 min.");
        folder.Write("{ not json");
        await SaysAsync(gateway, "cannot be read from appsettings.json");
        Assert.Contains("within 150 ms", await DetailAsync(client), StringComparison.Ordinal);
        folder.Write("""{ "Bridge": { "Transport": { "RequestTimeout": "00:00:00.120", "FirstScriptPort": 9000 } } }""");
        await SaysAsync(gateway, "Bridge:Transport:FirstScriptPort has changed and takes effect after a restart.");
        Assert.Contains("within 120 ms", await DetailAsync(client), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tokens_ChangedInTheSettingsFile_ApplyAtOnce()
    {
        await using var fake = FakeScript.Start();
        using var folder = new SettingsFolder("{}");
        await using var gateway = await GatewayProcess.ReadyAsync(fake.Port, "--http-port=0", $"--contentRoot={folder.Path}");
        var url = new Uri($"http://127.0.0.1:{Text(await gateway.ListensAsync())}/v2/status");
        Assert.Equal((200, 200), (await StatusAsync(url, null), await StatusAsync(url, "first")));
        folder.Write(Tokens(("viewer", "first")));
        await SaysAsync(gateway, "The tokens have changed; 1 are valid now.");
        Assert.Equal((401, 200, 401), (await StatusAsync(url, null), await StatusAsync(url, "first"), await StatusAsync(url, "second")));
        folder.Write(Tokens(("viewer", "second"), ("owner", "third")));
        await SaysAsync(gateway, "The tokens have changed; 2 are valid now.");
        Assert.Equal((401, 200, 200), (await StatusAsync(url, "first"), await StatusAsync(url, "second"), await StatusAsync(url, "third")));

        // an invalid list changes nothing, and no message contains a token
        folder.Write("""{ "Bridge": { "Http": { "Tokens": [ "nobody:1234" ] } } }""");
        await SaysAsync(gateway, "Bridge:Http:Tokens is not valid; expected");
        Assert.Equal(200, await StatusAsync(url, "third"));
        Assert.DoesNotContain(gateway.Said, line => line.Contains("nobody:1234", StringComparison.Ordinal) || line.Contains(Credential.SettingOf(Role.Owner, "third")[6..], StringComparison.Ordinal));
    }

    [Fact]
    public async Task Stop_OfAGateway_SaysNothingOfConnecting()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayProcess.ReadyAsync(fake.Port, "--http-port=0");
        Assert.Equal(0, await gateway.TerminateAsync());
        Assert.DoesNotContain(gateway.Said, line => line.Contains("is now Connecting", StringComparison.Ordinal));
        Assert.DoesNotContain(gateway.Said, line => line.Contains("warn", StringComparison.Ordinal) && !line.Contains("Kestrel", StringComparison.Ordinal)); // which says when its timer is late
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Transport(string requestTimeout) => $$"""{ "Bridge": { "Transport": { "RequestTimeout": "{{requestTimeout}}" } } }""";

    private static string Tokens(params (string Role, string Token)[] tokens) =>
        $$"""{ "Bridge": { "Http": { "Tokens": [ {{string.Join(", ", tokens.Select(token => $"\"{Credential.SettingOf(Roles.ByName[token.Role], token.Token)}\""))}} ] } } }""";

    private static async Task<int> StatusAsync(Uri url, string? token)
    {
        using var client = new HttpClient();
        client.DefaultRequestHeaders.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        using var response = await client.GetAsync(url, Cancelled);
        return (int)response.StatusCode;
    }

    private static Task SaysAsync(GatewayProcess gateway, string text) => Eventually.Is(() => gateway.Said.Any(line => line.Contains(text, StringComparison.Ordinal)), text);

    private static async Task<string> DetailAsync(HttpClient client)
    {
        using var answer = await client.GetAsync(new Uri("/v2/memory/0x02000000/u8", UriKind.Relative), Cancelled);
        return await answer.Content.ReadAsStringAsync(Cancelled);
    }

    /// <summary>A folder with a settings file in it.</summary>
    private sealed class SettingsFolder : IDisposable
    {
        public SettingsFolder(string settings) => Write(settings);

        public string Path { get; } = Directory.CreateTempSubdirectory("mgba-bridge-settings-").FullName;

        public void Write(string settings) => File.WriteAllText(System.IO.Path.Combine(Path, "appsettings.json"), settings);

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
