using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Doctor;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Doctor;

/// <summary>Each finding of <c>doctor</c>, by causing it.</summary>
public sealed partial class DoctorTests
{
    private const string Secret = "open sesame, please";
    private const string Token = "0123456789abcdef0123456789abcdef";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Doctor_WhereAllIsWell_SaysSoAndReturns0()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        await gateway.DescribeAsync();
        var run = await DoctorRun.OfAsync(emulator.Port, HttpPort(gateway.Client.BaseAddress!.Port));
        Assert.Equal(0, run.ExitCode);
        run.Has("program", "ok", EmbeddedScript.Version!);
        run.Has("settings", "ok");
        run.Has("gateway", "ok", EmbeddedScript.Version!, "runs at");
        run.Has("gateway", "ok", "emulator 1", "ready");
        run.Has("script", "ok", $":{emulator.Port} ", "mgba-headless", "MGBABRIDGE");
        Assert.DoesNotContain(run.Findings, finding => finding.Check == "sigpipe");
        Assert.Contains(run.Findings, finding => finding.Check == "frames");
        var text = await VerbRun.OfAsync("doctor", $"--emulator-port={emulator.Port}", HttpPort(gateway.Client.BaseAddress!.Port));
        Assert.Equal((0, ""), (text.ExitCode, text.Error));
        Assert.StartsWith("ok      program: mgba-bridge", text.Output, StringComparison.Ordinal);
        Assert.Contains("\nnext: ", text.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Doctor_WithoutAGateway_NamesServe()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        var run = await DoctorRun.OfAsync(emulator.Port, HttpPort(Clients.FreePort()));
        run.Has("http", "ok", "is free");
        Assert.Equal((0, $"Start the gateway: {run.Command}"), (run.ExitCode, run.Next));
        Assert.EndsWith("mgba-bridge serve", run.Command, StringComparison.Ordinal);
        Assert.Equal(run.Next, run.Has("gateway", "warning", "no gateway runs").Next);
    }

    [Fact]
    public async Task Url_OfAGatewayThatIsNotReachable_IsNamed()
    {
        var run = await DoctorRun.OfAsync(1, "--url=http://mgba-bridge.invalid:5000");
        run.HasFirst("gateway", "no gateway is reachable at http://mgba-bridge.invalid:5000.", "--url");
    }

    [Fact]
    public async Task Urls_OfAllAddresses_AreCheckedByListening()
    {
        var port = Clients.FreePort();
        (await DoctorRun.OfAsync(1, $"--urls=http://0.0.0.0:{port}", "--Bridge:Http:Token=0123456789abcdef0123456789abcdef")).Has("http", "ok", $"port {port} is free");
    }

    [Fact]
    public async Task HttpPort_OfAnotherProgram_IsNamedWithItsProcess()
    {
        using var other = DoctorRun.Server(_ => "220 mail\r\n");
        var run = await DoctorRun.OfAsync(1, HttpPort(DoctorRun.PortOf(other)));
        run.HasFirst("http", "another program", OperatingSystem.IsLinux() ? $"(process {Environment.ProcessId})" : "", "--http-port");
    }

    [Fact]
    public async Task HttpPort_OfAirPlay_IsRecognized()
    {
        using var airPlay = DoctorRun.Server(_ => "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nServer: AirTunes/785.4.1\r\n\r\n");
        (await DoctorRun.OfAsync(1, HttpPort(DoctorRun.PortOf(airPlay)))).HasFirst("http", "AirPlay Receiver", "System Settings");
    }

    [Theory]
    [InlineData("0.0.9", "Restart the gateway")]
    [InlineData("9.9.9", "Update this program to 9.9.9")]
    public async Task Gateway_OfAnotherVersion_SaysWhichToUpdate(string version, string next)
    {
        using var gateway = DoctorRun.Server(path =>
        {
            var body = path == "/v2/emulators" ? "[]" : $$$"""{"info":{"title":"mGBA-bridge","version":"{{{version}}}"}}""";
            return $"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {body.Length}\r\n\r\n{body}";
        });
        (await DoctorRun.OfAsync(1, HttpPort(DoctorRun.PortOf(gateway)))).Has("gateway", "warning", version, next);
    }

    [Fact]
    public async Task Gateway_WithATokenOrAnEmulatorMissing_IsAProblem()
    {
        await using var gateway = GatewayHost.Start(1, ("Http:Token", Token));
        await gateway.DescribeAsync(Token);
        await Eventually.Is(() => gateway.Emulators.First.Health.Detail is not null);
        var port = HttpPort(gateway.Client.BaseAddress!.Port);
        var url = $"--url={gateway.Client.BaseAddress}";
        (await DoctorRun.OfAsync(port)).HasFirst("gateway", "requires a token", "MGBA_BRIDGE_TOKEN", "--token TOKEN"); // not: load the script
        (await DoctorRun.OfAsync(url)).HasFirst("gateway", "requires a token", "MGBA_BRIDGE_TOKEN");
        (await DoctorRun.OfAsync(url, "--token", Token.Replace('0', '1'))).HasFirst("gateway", "does not accept the token", "mgba-bridge token");
        (await DoctorRun.OfAsync(1, url, "--token", Token)).Has("gateway", "problem", "emulator 1");
        (await DoctorRun.OfAsync(1, port, $"--Bridge:Http:Token={Token}")).Has("gateway", "problem", "emulator 1", "Nothing answers");
    }

    [Fact]
    public async Task Settings_ThatAreWrong_AreEachAProblem()
    {
        var run = await DoctorRun.OfAsync("--Bridge:Http:MaxConnections=0", "--Bridge:Http:MaxUnred=1");
        run.HasFirst("settings", "MaxUnred", "MaxUnread");
        run.Has("settings", "problem", "MaxConnections");
    }

    [Theory]
    [InlineData("--http-prt=1", "--http-port")]
    [InlineData("--http-port", "needs a value")]
    public async Task Argument_ThatIsWrong_IsASentence(string argument, string word)
    {
        var run = await VerbRun.OfAsync("doctor", argument);
        Assert.Equal(ExitCodes.WrongUsage, run.ExitCode);
        Assert.Contains(word, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Script_ThatIsMissing_IsTheProblem() =>
        (await DoctorRun.OfAsync(Clients.FreePort())).HasFirst("script", "no script listens", "mgba-bridge script");

    /// <summary>On a port that is searched; otherwise doctor would say that there is no script, and name `run`.</summary>
    [Fact]
    public async Task Script_ThatIsFoundAndRefusesOrIsSilent_IsNotOverlooked()
    {
        using var ports = new ScriptPorts();
        using var other = DoctorRun.Server(_ => "HTTP/1.1 400 Bad Request\r\n\r\n", ports.Next());
        (await DoctorRun.OfAsync(ports.Argument)).HasFirst("gateway", "no script of a game was found", "mgba-bridge run");
        await using (var silent = FakeScript.StartOn(ports.Next(), new FakeBehaviour { NeverAnswer = true }))
        {
            (await DoctorRun.OfAsync(ports.Argument, DoctorRun.SilentSoon)).HasFirst("frames", "answers nothing", "Pause");
        }

        await using var emulator = await HeadlessEmulator.StartAsync(ports.Next(), secret: Secret);
        (await DoctorRun.OfAsync(ports.Argument)).HasFirst("secret", $":{emulator.Port} requires a secret", "MGBA_BRIDGE_SECRET");
    }

    [Fact]
    public async Task Scripts_MoreThanOne_AreListed()
    {
        using var ports = new ScriptPorts();
        await using var first = await HeadlessEmulator.StartAsync(ports.Next());
        await using var second = await HeadlessEmulator.StartAsync(ports.Next());
        var run = await DoctorRun.OfAsync(ports.Argument);
        run.Has("script", "ok", $"2 scripts answer at 127.0.0.1:{ports.First}..{ports.First + 15}");
        run.Has("script", "ok", $":{first.Port} is script", "game MGBABRIDGE");
        run.Has("script", "ok", $":{second.Port} is script");
        run = await DoctorRun.OfAsync(ports.Argument, $"--nonce={second.Nonce}");
        Assert.DoesNotContain(run.Findings, finding => finding.Text.Contains("nonce", StringComparison.Ordinal));
        (await DoctorRun.OfAsync(first.Port, "--nonce=somebodyelse")).HasFirst("script", "nonce somebodyelse", "MGBA_BRIDGE_NONCE");
    }

    [Fact]
    public async Task AnotherProgram_OnThePortOfTheScript_IsAProblem()
    {
        using var other = DoctorRun.Server(_ => "HTTP/1.1 400 Bad Request\r\n\r\n");
        (await DoctorRun.OfAsync(DoctorRun.PortOf(other))).Has("script", "problem", "is not a script", "HTTP/1.1 400", "--emulator-port");
    }

    [Theory]
    [InlineData("script=\"0.0.9\"", "script", "problem", "is script 0.0.9; this gateway is", "mgba-bridge script")]
    [InlineData("script=\"9.0.0\"", "script", "problem", "Update the gateway to 9.0.0")]
    [InlineData("mgba=\"0.9.3\"", "mgba", "problem", "Install mGBA 0.10 or newer")]
    public async Task Version_OfScriptOrMgba_SaysWhichToUpdate(string hello, string check, string level, params string[] words)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Hello = hello });
        (await DoctorRun.OfAsync(fake.Port)).Has(check, level, words);
    }

    [Fact]
    public async Task Script_OfMgbaHttp_IsNamedAndReplaced()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(Clients.FreePort(), script: "loadtest/baseline.lua");
        (await DoctorRun.OfAsync(emulator.Port)).HasFirst("script", "mGBASocketServer.lua", "mgba-bridge script");
        using var ports = new ScriptPorts();
        await using var searched = await HeadlessEmulator.StartAsync(ports.Next(), script: "loadtest/baseline.lua");
        (await DoctorRun.OfAsync(ports.Argument)).HasFirst("script", $":{searched.Port}", "mGBASocketServer.lua", "mgba-bridge script");
        await using (await HeadlessEmulator.StartAsync(ports.Next()))
        {
            (await DoctorRun.OfAsync(ports.Argument)).Has("script", "warning", "mGBASocketServer.lua"); // it does no harm beside the right one
        }

        await using var gateway = GatewayHost.Start(emulator.Port);
        await gateway.DescribeAsync();
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.OtherProgram);
        (await DoctorRun.OfAsync($"--url={gateway.Client.BaseAddress}")).HasFirst("gateway", "other-program", "mGBASocketServer.lua", "mgba-bridge script");
    }

    /// <summary>What stands behind the colon can be typed.</summary>
    [Fact]
    public async Task Command_OfTheNextStep_IsOfAProgramThatIsThere()
    {
        using var other = DoctorRun.Server(_ => "220 mail\r\n");
        DoctorRun[] runs = [await DoctorRun.OfAsync(1), await DoctorRun.OfAsync(), await DoctorRun.OfAsync(1, HttpPort(DoctorRun.PortOf(other)))];
        Assert.All(runs, static run =>
        {
            Assert.EndsWith($": {run.Command}", run.Next, StringComparison.Ordinal);
            Assert.Contains("mgba-bridge ", run.Command, StringComparison.Ordinal);
            Assert.True(File.Exists(run.Command!.Split(' ')[0]) || run.Command.StartsWith("mgba-bridge ", StringComparison.Ordinal));
            Assert.DoesNotContain(run.Findings, static finding => finding.ToString().Contains("lua/mgba-bridge.lua", StringComparison.Ordinal));
            Assert.All(DocumentName().Matches(string.Join('\n', run.Findings)), static name => Assert.True(File.Exists(Repository.File(name.Value)), name.Value));
        });
    }

    [Fact]
    public async Task Script_OfMgbaHttpOrAnotherProtocol_IsToBeReplaced()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { RefuseHello = "unsupported-version 3" });
        (await DoctorRun.OfAsync(fake.Port)).Has("script", "problem", "mgba-bridge script");
    }

    [Theory]
    [InlineData(null)]
    [InlineData("--Bridge:Emulators:0:Secret=wrong, and long enough")]
    public async Task Secret_MissingOrWrong_IsAProblem(string? setting)
    {
        await using var emulator = await HeadlessEmulator.StartAsync(secret: Secret);
        string[] settings = setting is null ? [] : [setting];
        (await DoctorRun.OfAsync(emulator.Port, settings)).HasFirst("secret", "MGBA_BRIDGE_SECRET");
        Assert.Equal(0, (await DoctorRun.OfAsync(emulator.Port, $"--Bridge:Emulators:0:Secret={Secret}")).ExitCode);
    }

    [Theory]
    [InlineData("pause", "is paused")]
    [InlineData("close", "no game is loaded")]
    public async Task Game_ThatDoesNotRun_IsAProblem(string command, string words)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await emulator.ControlAsync(command);
        (await DoctorRun.OfAsync(emulator.Port)).HasFirst("game", words);
    }

    [Fact]
    public async Task Game_ThatIsThrottled_IsAWarning()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(framesPerSecond: 10);
        (await DoctorRun.OfAsync(emulator.Port)).Has("frames", "warning", "is usual: the machine is busy");
        await emulator.ControlAsync("pause");
        (await DoctorRun.OfAsync(emulator.Port)).HasFirst("game", "is paused");
    }

    [Fact]
    public async Task Game_InFastForward_IsAWarning()
    {
        await using var emulator = await HeadlessEmulator.StartAsync(framesPerSecond: 2000);
        await Eventually.IsAsync(async () => (await DoctorRun.OfAsync(emulator.Port)).Findings.Any(finding => finding.Text.Contains("in fast-forward", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(240, "warning", "unlimited or in fast-forward")]
    [InlineData(60, "ok", "60.0 frames per second")]
    public void Pace_OfTheGame_IsComparedWithTheUsualOne(double measured, string level, string words)
    {
        var finding = ScriptCheck.Pace("127.0.0.1:8888", measured, 59.73);
        Assert.Equal(level, finding.Level.ToString(), ignoreCase: true);
        Assert.Contains(words, finding.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0xEF030000, 0xEAFFFFFE, "has stopped its machine")] // swi 3 (Stop); b .
    [InlineData(0xE3A00401, 0xE12FFF10, "has crashed")] // mov r0, #0x01000000; bx r0
    public async Task Game_ThatStopsOrCrashes_NeedsAReset(uint first, uint second, string words)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02010000/u32", $$"""{"value":{{first}}}""");
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02010004/u32", $$"""{"value":{{second}}}""");
        using var jump = await play.RawAsync(HttpMethod.Put, "/v2/registers/pc", new StringContent("""{"value":33619968}""", null, "application/json"));
        await Eventually.Is(() => play.Gateway.Emulators.First.Health.Detail is not null);
        (await DoctorRun.OfAsync(play.Emulator.Port)).HasFirst("game", words, "mgba-bridge reset");
    }

    [Fact]
    public async Task Emulator_StoppedByASignal_IsToContinue()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await emulator.StopAsync();
        (await DoctorRun.OfAsync(emulator.Port, DoctorRun.SilentSoon)).HasFirst("frames", OperatingSystem.IsLinux() ? "kill -CONT" : "answers nothing");
    }

    [Fact]
    public async Task Script_ThatAnswersNothing_NamesTheCauses()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { NeverAnswer = true });
        (await DoctorRun.OfAsync(fake.Port, DoctorRun.SilentSoon)).HasFirst("frames", "answers nothing", "Pause", "SDL_AUDIODRIVER=dummy");
    }

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task Port_ThatAcceptsNothingInTime_IsAProblem()
    {
        using var busy = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        busy.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        busy.Listen(1);
        var clients = Enumerable.Range(0, 8).Select(_ => new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)).ToArray();
        using var stop = new CancellationTokenSource();
        var full = clients.Select(client => client.ConnectAsync(busy.LocalEndPoint!, stop.Token).AsTask()).ToArray();
        await Eventually.Is(() => full.Count(connect => connect.IsCompleted) >= 2);
        (await DoctorRun.OfAsync(((IPEndPoint)busy.LocalEndPoint!).Port, "--Bridge:Transport:ConnectTimeout=00:00:00.5")).HasFirst("script", "does not accept connections in time");
        await stop.CancelAsync();
        Array.ForEach(clients, client => client.Dispose());
    }

    [Theory]
    [InlineData(SocketError.TimedOut, "a firewall discards")]
    [InlineData(SocketError.Success, "MGBA_BRIDGE_BIND")]
    [InlineData(SocketError.HostNotFound, "--emulator-host")]
    public void Host_OfAnotherMachine_NamesWhatIsSpecialThere(SocketError failure, string words)
    {
        var finding = new ScriptSearch(new EmulatorAddress { Host = "192.0.2.1", Port = 8888 }, [], new TransportOptions(), new ScriptCheck(TimeSpan.Zero, isServed: false)).NothingListens(failure);
        Assert.Contains(words, finding.Text + finding.Next, StringComparison.Ordinal);
    }

    [Fact]
    [SupportedOSPlatform("linux")]
    public async Task Process_ThatDoesNotIgnoreSigpipe_IsAWarning()
    {
        const string Forwarder = """
            import select, signal, socket, sys
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            while True:
                near, far = listener.accept()[0], socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                while True:
                    ready = select.select([near, far], [], [])[0][0]
                    data = ready.recv(65536)
                    if not data:
                        break
                    (far if ready is near else near).sendall(data)
                near.close(), far.close()
            """;
        await using var emulator = await HeadlessEmulator.StartAsync();
        using var forwarder = Process.Start(new ProcessStartInfo("python3", ["-c", Forwarder, emulator.Port.ToString(CultureInfo.InvariantCulture)]) { RedirectStandardOutput = true })!;
        try
        {
            var port = int.Parse((await forwarder.StandardOutput.ReadLineAsync(Cancelled))!, CultureInfo.InvariantCulture);
            var run = await DoctorRun.OfAsync(port);
            run.Has("sigpipe", "warning", "python3", $"(process {forwarder.Id})", "trap \"\" PIPE");
            run.Has("script", "ok", $":{port} is script");
        }
        finally
        {
            forwarder.Kill();
        }
    }

    private static string HttpPort(int port) => $"--http-port={port}";

    [GeneratedRegex(@"docs/[\w/-]+\.md", RegexOptions.CultureInvariant)]
    private static partial Regex DocumentName();
}
