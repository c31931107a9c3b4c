using System.Globalization;
using System.Net;
using System.Net.WebSockets;
using System.Text.Json;
using System.Text.RegularExpressions;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Emulators;

/// <summary>Emulators that the gateway starts itself, on the real core.</summary>
public sealed class EmulatorOperationsTests
{
    private const string Marker = "/v2/memory/0x02001000/u32";

    [Fact]
    public async Task Roms_WhoseNamesAreNotUtf8_AreNamed()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "names are bytes on Linux");
        await using var owned = await OwnedGateway.StartAsync(0);
        using var copy = System.Diagnostics.Process.Start("sh", ["-c", $"cp '{owned.Roms}/test.gba' \"{owned.Roms}/$(printf 'H\\366hle.gba')\""]);
        await copy.WaitForExitAsync(TestContext.Current.CancellationToken);
        var roms = await owned.GetAsync("/v2/roms");
        Assert.Equal("H\uFFFDhle.gba", Assert.Single(roms.GetProperty("misnamed").EnumerateArray()).GetString());
        Assert.DoesNotContain(roms.GetProperty("roms").EnumerateArray(), rom => rom.GetString()!.Contains('\uFFFD'));
        using var delete = System.Diagnostics.Process.Start("sh", ["-c", $"rm '{owned.Roms}'/H*"]); // which this program cannot
        await delete.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>As over HTTP, whose route looks for the emulator first.</summary>
    [Theory]
    [InlineData("emulators.stop", "")]
    [InlineData("emulators.restart", "")]
    [InlineData("emulators.log", "")]
    [InlineData("emulators.run", ",\"paused\":true")]
    public async Task Emulator_ThatIsNotThere_IsNamedOverWebSocket(string operation, string others)
    {
        await using var owned = await OwnedGateway.StartAsync(1);
        using var socket = await WebSocketClient.OpenAsync(owned.Host);
        await socket.SendAsync($$$"""{"id":1,"op":"{{{operation}}}","body":{"id":"zz"{{{others}}}}}""");
        var problem = (await socket.NextAsync()).GetProperty("problem");
        Assert.Equal((404, "urn:mgba-bridge:problem:no-such-emulator"), (problem.GetProperty("status").GetInt32(), problem.GetProperty("type").GetString()));
    }

    [Fact]
    public async Task Emulator_StartedAndStopped_IsServedMeanwhileAndLeavesNothing()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", Clients.FreePort().ToString(CultureInfo.InvariantCulture)));
        var started = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"two"}""");
        var process = started.GetProperty("process").GetProperty("pid").GetInt32();
        Assert.Equal(Path.Combine(gateway.Roms, "test.gba"), started.GetProperty("process").GetProperty("rom").GetString());
        Assert.Equal("MGBABRIDGE", (await gateway.GetAsync("/i/two/v2/game")).GetProperty("title").GetString());
        Assert.Equal(["1", "two"], (await gateway.GetAsync("/v2/emulators")).EnumerateArray().Select(emulator => emulator.GetProperty("id").GetString()));

        var again = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba"}""");
        Assert.Equal("2", again.GetProperty("id").GetString());
        Assert.NotEqual(started.GetProperty("process").GetProperty("saves").GetString(), again.GetProperty("process").GetProperty("saves").GetString());

        await gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/two");
        Assert.False(OwnedGateway.IsRunning(process));
        await gateway.SendAsync(HttpMethod.Get, "/i/two/v2/game", status: HttpStatusCode.NotFound);
        await gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/1", status: HttpStatusCode.Conflict);
        Assert.Equal("two", (await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gb","id":"two"}""")).GetProperty("id").GetString());
    }

    [Theory]
    [InlineData("""{"rom":"/etc/passwd"}""", 403, "rom-forbidden")]
    [InlineData("""{"rom":"../outside.gba"}""", 403, "rom-forbidden")]
    [InlineData("""{"rom":"link.gba"}""", 403, "rom-forbidden")]
    [InlineData("""{"rom":"links/outside.gba"}""", 403, "rom-forbidden")]
    [InlineData("""{"rom":"missing.gba"}""", 404, "no-such-rom")]
    [InlineData("""{"rom":""}""", 400, "bad-request")]
    [InlineData("""{"rom":"folder.gba"}""", 404, "no-such-rom")]
    [InlineData("""{"rom":"test.gba/x"}""", 404, "no-such-rom")]
    [InlineData("""{"rom":"text.gba"}""", 502, "start-failed")]
    [InlineData("""{"rom":"test.gba","state":"none"}""", 404, "no-such-state")]
    [InlineData("""{"rom":"test.gba","id":"Two"}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","id":"1"}""", 409, "id-taken")]
    [InlineData("""{"rom":"test.gba","fps":-1}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","fps":60,"window":true}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","window":true}""", 501, "emulator-missing")]
    [InlineData("""{"rom":"test.gba","patch":"/etc/passwd"}""", 403, "rom-forbidden")]
    [InlineData("""{"rom":"test.gba","patch":"missing.ips"}""", 404, "no-such-patch")]
    [InlineData("""{"rom":"test.gba","cheats":"missing.cht"}""", 404, "no-such-cheats")]
    [InlineData("""{"rom":"test.gba","cheats":"text.gba"}""", 502, "start-failed")]
    [InlineData("""{"rom":"test.gba","cheats":"text.gba","window":true}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","patch":"text.gba"}""", 502, "start-failed")]
    [InlineData("""{"rom":"test.gba","patch":"text.gba","window":true}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","bios":"missing.bin"}""", 404, "no-such-bios")]
    [InlineData("""{"rom":"test.gba","bios":"text.gba"}""", 422, "options-refused")]
    [InlineData("""{"rom":"test.gba","saveType":"flash"}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","hardware":"sonar"}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","idleLoop":"0x08000001"}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","palette":"Puce"}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","clock":"fixed:1999-12-31T23:59"}""", 400, "bad-request")]
    [InlineData("""{"rom":"test.gba","mbc":"mbc1"}""", 422, "options-refused")]
    [InlineData("""{"rom":"test.gba","model":"CGB"}""", 422, "options-refused")]
    [InlineData("""{"rom":"test.gba","palette":"Brown"}""", 422, "options-refused")]
    [InlineData("""{"rom":"test.gba","hardware":"tilt","saveType":"sram"}""", 422, "options-refused")]
    [InlineData("""{"rom":"test.gba","clock":"host","window":true}""", 400, "bad-request")]
    [InlineData("""{}""", 400, "bad-request")]
    public async Task Start_OfWhatCannotRun_SaysWhatToChange(string body, int status, string type)
    {
        await using var gateway = await OwnedGateway.StartAsync(1, ("Owned:WindowProgram", "/nonexistent/mgba-qt"));
        await File.WriteAllTextAsync(Path.Combine(gateway.Folder, "outside.gba"), "text", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(gateway.Roms, "text.gba"), "This is not a game.", TestContext.Current.CancellationToken);
        Directory.CreateDirectory(Path.Combine(gateway.Roms, "folder.gba"));
        File.CreateSymbolicLink(Path.Combine(gateway.Roms, "link.gba"), Path.Combine(gateway.Roms, "test.gba"));
        Directory.CreateSymbolicLink(Path.Combine(gateway.Roms, "links"), gateway.Folder);
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", body, (HttpStatusCode)status);
        Assert.Equal($"urn:mgba-bridge:problem:{type}", problem.GetProperty("type").GetString());
        Assert.NotEqual("", problem.GetProperty("detail").GetString());
        Assert.Single(gateway.Supervisor.All);
        Assert.Single(gateway.Host.Emulators.All);
    }

    [Theory]
    [InlineData("hardware", "rtc,sonar", "none, or one or more of rtc, rumble, light, gyro, tilt, e-reader, gb-player, joined by commas")]
    [InlineData("idleLoop", "8000", "none, or the address of an instruction in RAM or ROM, such as 0x08000D3C")]
    [InlineData("palette", "FFFFFF", "4 or 12 colours RRGGBB joined by commas, or one of mGBA's sets: Grayscale, *Brown, *Reverse, SGB 1-A to SGB 4-H")]
    [InlineData("clock", "noon", "host, host+SECONDS, host-SECONDS, fixed:TIME or emulated:TIME, *")]
    public async Task Start_WithAWrongOption_NamesItAndSaysWhatItMayBe(string field, string value, string expected)
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"test.gba","{{field}}":"{{value}}"}""", HttpStatusCode.BadRequest);
        Assert.Matches($"^{Regex.Escape($"{field} is \"{value}\"; expected {expected}").Replace("\\*", ".*", StringComparison.Ordinal)}", problem.GetProperty("detail").GetString()!);
    }

    [Fact]
    public async Task Start_WithASaveFileOfAnotherType_NamesItsType()
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, "test.sav"), new byte[0x8000], TestContext.Current.CancellationToken);
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","saveType":"flash1m"}""", HttpStatusCode.UnprocessableEntity);
        Assert.Equal("urn:mgba-bridge:problem:options-refused", problem.GetProperty("type").GetString());
        Assert.Contains("give --save-type the type of this save (sram)", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Empty(gateway.Supervisor.All);
    }

    [Fact]
    public async Task Start_WithAPatch_RunsThePatchedGameAlsoAfterARestart()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, "title.ips"), [.. "PATCH"u8, 0, 0, 0xA0, 0, 4, .. "TALE"u8, .. "EOF"u8], TestContext.Current.CancellationToken);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"patched","patch":"title.ips"}""");
        Assert.Equal("TALEBRIDGE", (await gateway.GetAsync("/i/patched/v2/game")).GetProperty("title").GetString());
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/patched/restart", "");
        Assert.Equal("TALEBRIDGE", (await gateway.GetAsync("/i/patched/v2/game")).GetProperty("title").GetString());
        Assert.Equal("MGBABRIDGE", (await gateway.GetAsync("/i/1/v2/game")).GetProperty("title").GetString());
    }

    [Fact]
    public async Task Start_WithADamagedPatch_NamesThePatchAndTheReason()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, "cut.ups"), [.. "UPS1"u8, 0x80], TestContext.Current.CancellationToken);
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","patch":"cut.ups"}""", HttpStatusCode.BadGateway);
        var detail = problem.GetProperty("detail").GetString();
        Assert.Contains("cut.ups\" is damaged: it ends too early at byte 5; download or make it again", detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_BeyondTheLimit_IsRefused()
    {
        await using var gateway = await OwnedGateway.StartAsync(1, ("Owned:MaxEmulators", "1"));
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba"}""", HttpStatusCode.Conflict);
        Assert.Contains("Bridge:Owned:MaxEmulators", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Run_PausedAndResumed_StopsTheFramesAndAnswersMeanwhile()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        var paused = await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":true,"fps":240}""");
        Assert.True(paused.GetProperty("process").GetProperty("paused").GetBoolean());
        Assert.Equal("paused", paused.GetProperty("state").GetString());
        Assert.Contains("emulators.run", (await gateway.GetAsync("/v2/status")).GetProperty("detail").GetString(), StringComparison.Ordinal);
        var before = (await gateway.GetAsync(Marker)).GetProperty("frame").GetInt64();
        Assert.Equal(before, (await gateway.GetAsync(Marker)).GetProperty("frame").GetInt64());
        var running = await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":false}""");
        Assert.Equal(240, running.GetProperty("process").GetProperty("targetFps").GetDouble());
        Assert.Equal("ready", running.GetProperty("state").GetString());
        await Eventually.IsAsync(async () => (await gateway.GetAsync(Marker)).GetProperty("frame").GetInt64() > before);
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", "{}", HttpStatusCode.BadRequest);
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/none/run", """{"paused":true}""", HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Speed_HeldBySeveral_IsTheHighestUntilTheLastHasEnded()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        using var first = await WebSocketClient.OpenAsync(gateway.Host, "/v2/ws?holder=page");
        using (var second = await WebSocketClient.OpenAsync(gateway.Host, "/v2/ws?holder=page"))
        {
            await first.DoAsync("speed.hold", """{"fps":240}""");
            var held = (await second.DoAsync("speed.hold", """{"fps":300}""")).GetProperty("process");
            Assert.Equal(300, held.GetProperty("heldFps").GetDouble());
            Assert.False(held.TryGetProperty("targetFps", out _));
            await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).TryGetProperty("fps", out var fps) && fps.GetDouble() > 75);
            await first.DoAsync("speed.release");
            Assert.Equal(300, (await gateway.ProcessAsync("1")).GetProperty("heldFps").GetDouble());
            await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"fps":30}""");
            second.Socket.Abort();
        }

        await Eventually.IsAsync(async () => !(await gateway.ProcessAsync("1")).TryGetProperty("heldFps", out _));
        Assert.Equal(30, (await gateway.ProcessAsync("1")).GetProperty("targetFps").GetDouble());
        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).TryGetProperty("fps", out var fps) && fps.GetDouble() < 45);
        await gateway.SendAsync(HttpMethod.Put, "/v2/speed", """{"fps":0}""");
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"fps":60}""");
        Assert.Equal(0, (await gateway.ProcessAsync("1")).GetProperty("heldFps").GetDouble());
        Assert.False((await gateway.SendAsync(HttpMethod.Delete, "/v2/speed")).GetProperty("process").TryGetProperty("heldFps", out _));
        await gateway.SendAsync(HttpMethod.Put, "/v2/speed", """{"fps":-1}""", HttpStatusCode.BadRequest);
        await gateway.SendAsync(HttpMethod.Put, "/i/none/v2/speed", """{"fps":120}""", HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Run_BetweenTheStepsOfALease_HoldsFromTheNextFrame()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        gateway.Client.DefaultRequestHeaders.Add("Mgba-Holder", "test");
        var frame = (await gateway.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""")).GetProperty("frame").GetInt64();
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/status")).GetProperty("state").GetString() == "leased");
        var paused = await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":true,"fps":120}""");
        Assert.True(paused.GetProperty("process").GetProperty("paused").GetBoolean());
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":false}""");
        Assert.Equal(frame + 2, (await gateway.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":2}""")).GetProperty("frame").GetInt64());

        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"paused":true}""");
        await gateway.SendAsync(HttpMethod.Delete, "/v2/lease");
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/status")).GetProperty("state").GetString() == "paused");
        var process = await gateway.ProcessAsync("1");
        Assert.Equal((120, true), (process.GetProperty("targetFps").GetDouble(), process.GetProperty("paused").GetBoolean()));
    }

    [Fact]
    public async Task Emulator_ThatIsRemoved_EndsItsStreamsWithTheReason()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        using var events = await EventReader.OpenAsync(gateway.Client, "game");
        using var pictures = await PictureReader.OpenAsync(gateway.Client, "30");
        await pictures.NextAsync();
        using var socket = await WebSocketClient.OpenAsync(gateway.Host);
        await socket.DoAsync("keys.add", """{"keys":["A"]}""");
        var closing = socket.ClosedAsync();
        var removing = gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/1");
        Assert.Equal((WebSocketCloseStatus.EndpointUnavailable, EmulatorStreams.RemovedReason), await closing);
        await socket.CloseAsync();
        var (_, _, data) = await events.NextAsync("closed");
        Assert.Equal(EmulatorStreams.RemovedReason, data.GetProperty("reason").GetString());
        await Assert.ThrowsAsync<EndOfStreamException>(() => events.NextAsync());
        Assert.Equal(EmulatorStreams.RemovedReason, await pictures.EndAsync());
        await removing;

        // what needs no emulator works without one
        Assert.Equal(JsonValueKind.Array, (await gateway.GetAsync("/v2/states")).GetProperty("states").ValueKind);
        await gateway.SendAsync(HttpMethod.Delete, "/v2/states/none", status: HttpStatusCode.NotFound);
        Assert.Empty((await gateway.GetAsync("/v2/emulators")).EnumerateArray());
        var problem = await gateway.SendAsync(HttpMethod.Get, "/v2/status", status: HttpStatusCode.NotFound);
        Assert.Contains("POST /v2/emulators", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Start_FromAStateInAFolderThatCannotBeUsed_SaysWhatToSet()
    {
        var file = Path.GetTempFileName();
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"), ("Owned:DataFolder", Path.Combine(file, "data")));
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","state":"any"}""", HttpStatusCode.InsufficientStorage);
        Assert.Equal("urn:mgba-bridge:problem:store-failed", problem.GetProperty("type").GetString());
        Assert.Contains("Bridge:Owned:DataFolder", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        File.Delete(file);
    }

    [Theory]
    [InlineData("emulators/mine")] // the folder of its log
    [InlineData("mgba-bridge.lua.tmp/any")] // the script
    public async Task Start_ThatCouldNotWriteItsFiles_LeavesTheIdFree(string path)
    {
        var folder = OwnedGateway.Prepare();
        var inTheWay = Path.Combine(folder.FullName, "data", "1", path);
        Directory.CreateDirectory(Path.GetDirectoryName(inTheWay)!);
        await File.WriteAllTextAsync(inTheWay, "", TestContext.Current.CancellationToken);
        await using var gateway = await OwnedGateway.StartAsync(folder, 0, ("Emulators:0:Port", "1"));
        const string Request = """{"rom":"test.gba","id":"mine"}""";
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", Request, HttpStatusCode.BadGateway);
        Assert.Contains(path.Split('/')[0], problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        File.Delete(inTheWay);
        Directory.Delete(Path.GetDirectoryName(inTheWay)!);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", Request);
    }

    [Fact]
    public async Task Emulator_ThatFailsSoon_DoesNotContinueFromAStateOfAnEarlierGateway()
    {
        var folder = OwnedGateway.Prepare();
        var earlier = await OwnedGateway.StartAsync(folder, 1, ("Owned:StateEvery", "00:00:01"));
        await Eventually.IsAsync(async () => (await StatesAsync(earlier)).Length > 0);
        await earlier.Host.DisposeAsync();

        await using var gateway = await OwnedGateway.StartAsync(folder, 1, ("Owned:StateEvery", "1.00:00:00"));
        Assert.NotEmpty(await StatesAsync(gateway));
        OwnedGateway.Signal((await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32(), "-KILL");
        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).TryGetProperty("lastFault", out var last) && last.TryGetProperty("restartedAt", out _));
        Assert.False((await gateway.ProcessAsync("1")).GetProperty("lastFault").TryGetProperty("restoredFrom", out _));
    }

    [Theory]
    [InlineData("-KILL", "signal 9")]
    [InlineData("-SEGV", "signal 11")]
    [InlineData("hang", "hangs")]
    public async Task Emulator_ThatFails_ContinuesFromItsNewestState(string fault, string reason)
    {
        var folder = OwnedGateway.Prepare();
        await using var gateway = await OwnedGateway.StartAsync(
            folder, 1, ("Owned:HeadlessProgram", Wrapper(folder)), ("Owned:StateEvery", "00:00:01"), ("Transport:SilenceTimeout", "00:00:05"));
        await gateway.SendAsync(HttpMethod.Put, Marker, """{"value":4711}""");
        var marked = (await gateway.GetAsync(Marker)).GetProperty("frame").GetInt64();
        await Eventually.IsAsync(async () => (await StatesAsync(gateway)).Any(state => state.GetProperty("frame").GetInt64() > marked));
        using var events = await EventReader.OpenAsync(gateway.Client, "emulator");
        var process = (await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32();

        if (fault == "hang")
        {
            _ = gateway.Client.PutAsync("/v2/memory/0x0203FFF0/u8", new StringContent("""{"value":90}""", null, "application/json"), TestContext.Current.CancellationToken);
        }
        else
        {
            OwnedGateway.Signal(process, fault);
        }

        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).TryGetProperty("lastFault", out var last) && last.TryGetProperty("restartedAt", out _));
        var after = await gateway.ProcessAsync("1");
        Assert.Contains(reason, after.GetProperty("lastFault").GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.StartsWith("auto.1.", after.GetProperty("lastFault").GetProperty("restoredFrom").GetString(), StringComparison.Ordinal);
        Assert.True(File.Exists(after.GetProperty("lastFault").GetProperty("log").GetString()));
        Assert.Equal(1, after.GetProperty("restarts").GetInt32());
        Assert.Equal("emulator.lost", (await events.NextAsync()).Kind);
        var (_, kind, data) = await events.NextAsync();
        Assert.Equal("emulator.restarted", kind);
        Assert.Contains(reason, data.GetProperty("reason").GetString(), StringComparison.Ordinal);
        Assert.False(OwnedGateway.IsRunning(process));
        Assert.Equal(4711, (await gateway.GetAsync(Marker)).GetProperty("value").GetInt64());
    }

    [Fact]
    public async Task Emulator_ThatASignalStopped_IsContinuedAndLosesNothing()
    {
        await using var gateway = await OwnedGateway.StartAsync(1, ("Transport:SilenceTimeout", "00:00:05"));
        var process = (await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32();
        await gateway.SendAsync(HttpMethod.Put, Marker, """{"value":4711}""");
        OwnedGateway.Signal(process, "-STOP");
        await Eventually.Is(() => LinuxProcess.HasStopped(process));
        await Eventually.Is(() => !LinuxProcess.HasStopped(process));
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/status")).GetProperty("state").GetString() == "ready");
        Assert.Equal(4711, (await gateway.GetAsync(Marker)).GetProperty("value").GetInt64());
        var after = await gateway.ProcessAsync("1");
        Assert.Equal((process, 0), (after.GetProperty("pid").GetInt32(), after.GetProperty("restarts").GetInt32()));
    }

    [Fact]
    public async Task Emulator_ThatNeedsLongToStartAgain_StillContinuesFromItsNewestState()
    {
        var folder = OwnedGateway.Prepare();
        var marker = Path.Combine(folder.FullName, "started");
        var wrapper = Wrapper(folder, $"[ ! -e '{marker}' ] || sleep 3; touch '{marker}'"); // longer than a control command may take
        await using var gateway = await OwnedGateway.StartAsync(
            folder, 1, services => services.Registered<OwnedEmulatorOptions>().CommandTimeout = TimeSpan.FromSeconds(2), ("Owned:HeadlessProgram", wrapper), ("Owned:StateEvery", "00:00:01"));
        await Eventually.IsAsync(async () => (await StatesAsync(gateway)).Length >= 2);
        OwnedGateway.Signal((await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32(), "-KILL");
        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).TryGetProperty("lastFault", out var last) && last.TryGetProperty("restartedAt", out _));
        var fault = (await gateway.ProcessAsync("1")).GetProperty("lastFault");
        var newest = (await StatesAsync(gateway)).First(state => state.GetProperty("savedAt").GetDateTimeOffset() <= fault.GetProperty("at").GetDateTimeOffset());
        Assert.Equal(newest.GetProperty("name").GetString(), fault.GetProperty("restoredFrom").GetString());
    }

    [Fact]
    public async Task Emulator_ThatFailsDuringALease_HasNoneAfterwards()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""");
        OwnedGateway.Signal((await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32(), "-KILL");
        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).TryGetProperty("lastFault", out var last) && last.TryGetProperty("restartedAt", out _));
        await Eventually.IsAsync(async () =>
        {
            var status = await gateway.GetAsync("/v2/status");
            return status.GetProperty("state").GetString() == "ready" && !status.TryGetProperty("leaseHolder", out _);
        });
    }

    [Fact]
    public async Task Game_ThatStopsItsMachine_IsReportedAndNotRestarted()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Put, "/v2/memory/0x02010000/u32", """{"value":4009951232}"""); // swi 3 (Stop)
        await gateway.SendAsync(HttpMethod.Put, "/v2/memory/0x02010004/u32", """{"value":3942645758}"""); // b .
        await gateway.SendAsync(HttpMethod.Put, "/v2/registers/pc", $$"""{"value":{{0x02010000}}}""");
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/status")).GetProperty("state").GetString() == "stopped");
        await gateway.SendAsync(HttpMethod.Post, "/v2/reset");
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/status")).GetProperty("state").GetString() == "ready");
        Assert.Equal(0, (await gateway.ProcessAsync("1")).GetProperty("restarts").GetInt32());
    }

    [Fact]
    public async Task Restart_OfAnEmulator_KeepsItsRomIdAndSpeed()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Put, "/v2/emulators/1/run", """{"fps":120}""");
        var before = await gateway.ProcessAsync("1");
        var restarted = (await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/1/restart")).GetProperty("process");
        Assert.NotEqual(before.GetProperty("pid").GetInt32(), restarted.GetProperty("pid").GetInt32());
        Assert.Equal(before.GetProperty("rom").GetString(), restarted.GetProperty("rom").GetString());
        Assert.Equal(120, restarted.GetProperty("targetFps").GetDouble());
        Assert.False(OwnedGateway.IsRunning(before.GetProperty("pid").GetInt32()));
        var status = await gateway.GetAsync("/v2/status");
        Assert.Equal(("ready", false), (status.GetProperty("state").GetString(), status.TryGetProperty("lastAnnounced", out _))); // the end of the game is over
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/9/restart", status: HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Restart_ThatFails_KeepsTheEmulatorAndIsTriedAgain()
    {
        var folder = OwnedGateway.Prepare();
        var broken = Path.Combine(folder.FullName, "broken");
        await using var gateway = await OwnedGateway.StartAsync(folder, 1, ("Owned:HeadlessProgram", Wrapper(folder, $"[ ! -e '{broken}' ] || exit 9")));
        await File.WriteAllTextAsync(broken, "", TestContext.Current.CancellationToken);
        var problem = await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/1/restart", status: HttpStatusCode.BadGateway);
        Assert.Equal("urn:mgba-bridge:problem:start-failed", problem.GetProperty("type").GetString());
        Assert.Contains("exit code 9", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal("1", Assert.Single((await gateway.GetAsync("/v2/emulators")).EnumerateArray()).GetProperty("id").GetString());
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"1"}""", HttpStatusCode.Conflict);
        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).GetProperty("restarts").GetInt32() > 0);
        string? away = null; // the gateway tries again and again, so that its state changes
        await Eventually.IsAsync(async () => await gateway.GetAsync("/v2/status") is var status && status.GetProperty("state").GetString() == "script-missing"
            && (away = status.GetProperty("detail").GetString())?.Contains("starts it again by itself", StringComparison.Ordinal) == true);
        Assert.DoesNotContain("Scripting", away, StringComparison.Ordinal);

        File.Delete(broken);
        await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).GetProperty("lastFault").TryGetProperty("restartedAt", out _));
        await gateway.GetAsync("/i/1/v2/game");
        Assert.NotEqual(0, (await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/1/restart")).GetProperty("process").GetProperty("pid").GetInt32());
    }

    [Fact]
    public async Task Emulator_OfAGatewayWithSecrets_DoesNotInheritThem()
    {
        Environment.SetEnvironmentVariable("SECRET_OF_A_TEST", "hunter2");
        try
        {
            await using var gateway = await OwnedGateway.StartAsync(1);
            var process = (await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32();
            var environment = await File.ReadAllTextAsync($"/proc/{process}/environ", TestContext.Current.CancellationToken);
            Assert.DoesNotContain("SECRET_OF_A_TEST", environment, StringComparison.Ordinal);
            Assert.Contains("MGBA_BRIDGE_NONCE=", environment, StringComparison.Ordinal);
            Assert.Contains("PATH=", environment, StringComparison.Ordinal);
        }
        finally
        {
            Environment.SetEnvironmentVariable("SECRET_OF_A_TEST", null);
        }
    }

    [Fact]
    public async Task Log_OfAnEmulator_HasWhatItPrinted()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/v2/emulators/1/log")).GetProperty("lines").EnumerateArray()
            .Any(line => line.GetString()!.Contains("listening on", StringComparison.Ordinal)));
        await gateway.SendAsync(HttpMethod.Get, "/v2/emulators/9/log", status: HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Roms_BelowTheFolders_AreListedWithoutLinksAndOtherFiles()
    {
        var folder = OwnedGateway.Prepare();
        var roms = Path.Combine(folder.FullName, "roms");
        Directory.CreateDirectory(Path.Combine(roms, "more"));
        File.Copy(Path.Combine(roms, "test.gb"), Path.Combine(roms, "more", "other.GBC"));
        File.WriteAllText(Path.Combine(roms, "notes.txt"), "no game");
        File.CreateSymbolicLink(Path.Combine(roms, "link.gba"), Path.Combine(roms, "test.gba"));
        await using var gateway = await OwnedGateway.StartAsync(folder, 0);
        var found = (await gateway.GetAsync("/v2/roms")).GetProperty("roms").EnumerateArray().Select(rom => rom.GetString()!).ToArray();
        Assert.Equal([Path.Combine("more", "other.GBC"), "test.gb", "test.gba"], found);
        foreach (var rom in found)
        {
            await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", JsonSerializer.Serialize(new Dictionary<string, string> { ["rom"] = rom }));
        }
    }

    [Fact]
    public async Task GatewayProcess_Killed_TakesItsEmulatorsAlong()
    {
        var folder = OwnedGateway.Prepare();
        var rom = Path.Combine(folder.FullName, "roms", "test.gba");
        string[] settings = ["--http-port=0", $"--Bridge:Owned:Roms:0={rom}", $"--Bridge:Owned:Roms:1={rom}", $"--Bridge:Owned:DataFolder={folder.FullName}/data"];
        await using (var gateway = GatewayProcess.Start([], settings))
        {
            await gateway.ListensAsync();
            Assert.Equal(2, OwnedGateway.HeadlessOf(rom).Length);
            gateway.Signal("-KILL");
            await gateway.EndsAsync();
        }

        await Eventually.Is(() => OwnedGateway.HeadlessOf(rom).Length == 0);

        await using (var gateway = GatewayProcess.Start([], settings))
        {
            await gateway.ListensAsync();
            Assert.Equal(2, OwnedGateway.HeadlessOf(rom).Length);
            Assert.Equal(0, await gateway.TerminateAsync());
            await Eventually.Is(() => OwnedGateway.HeadlessOf(rom).Length == 0);
        }

        folder.Delete(recursive: true);
    }

    /// <summary>The real program, with a script that never returns once a byte of memory has a value.</summary>
    private static string Wrapper(DirectoryInfo folder, string first = ":")
    {
        var script = Path.Combine(folder.FullName, "hang.lua");
        File.WriteAllText(script, "callbacks:add('frame', function() if emu and emu:read8(0x0203FFF0) == 90 then while true do end end end)\n");
        return ShellProgram.Write(Path.Combine(folder.FullName, "mgba-headless"), $"{first}\nexec '{Repository.File(OwnedGateway.Program)}' --script '{script}' \"$@\"");
    }

    private static async Task<JsonElement[]> StatesAsync(OwnedGateway gateway) => [.. (await gateway.GetAsync("/v2/states")).GetProperty("states").EnumerateArray()];
}
