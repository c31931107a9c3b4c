using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary><c>mgba-bridge run</c> as a process of its own.</summary>
[Collection(nameof(DefaultPort))]
public sealed class RunVerbTests
{
    private const int FirstPort = 5_000;

    [Fact]
    public async Task Run_WithoutAGame_PlaysTheBundledOneAndSavesItAtTheEnd()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], "run", "--port=0", "--no-browser"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            await Eventually.IsAsync(async () => await AnswerAsync(client, "/v2/game") is { } game && game.Contains("LAMPLIGHT", StringComparison.Ordinal));
            Assert.NotNull(await AnswerAsync(client, "/v2/values/milestone"));
            var doctor = await VerbRun.OfAsync("doctor", $"--http-port={client.BaseAddress.Port}");
            Assert.DoesNotContain("no script listens", doctor.Output, StringComparison.Ordinal); // its emulator is on a port of its own
            var emulator = JsonDocument.Parse((await AnswerAsync(client, "/v2/emulators"))!).RootElement[0].GetProperty("process").GetProperty("pid").GetInt32();
            Assert.Equal(0, await run.TerminateAsync());
            Assert.Contains("Ended.", run.Said);
            await Eventually.Is(() => !OwnedGateway.IsRunning(emulator));
            Assert.True(File.Exists(Path.Combine(folder.FullName, "mgba-bridge", "1", "games", "demo.gba")));
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithPortsAndSettings_UsesThem()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var (http, script) = (Clients.FreePort(), Clients.FreePort());
        string[] arguments = [$"--port={http}", "--script-port", $"{script}", "--no-browser", "--Bridge:Owned:DataFolder", folder.FullName, "--Bridge:Owned:StateEvery=00:00:07"];
        await using (var run = GatewayProcess.Start(["env", "ASPNETCORE_URLS=http://127.0.0.1:1"], ["run", .. arguments]))
        {
            foreach (var text in new[] { $"page     http://127.0.0.1:{http}/", $"script 127.0.0.1:{script})", $"data     {folder.FullName}/1", $"mgba-bridge --url http://127.0.0.1:{http} screenshot game.png" })
            {
                await Eventually.Is(() => run.Said.Any(line => line.Contains(text, StringComparison.Ordinal)), text);
            }

            await using var other = GatewayProcess.Start([], "run", $"--port={http}");
            Assert.Equal(3, await other.EndsAsync());
            Assert.Matches($"^Port {http} is in use by {GatewayProcess.Name} \\(process [0-9]+\\)\\. .*--port", Assert.Single(other.Said));
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_Shared_LetsOthersPlayWithTheTokenOfTheAddress()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], "play", "--share", "--port=0", "--json"))
        {
            await Eventually.Is(() => run.Said.Count > 0);
            var report = JsonDocument.Parse(run.Said.First()).RootElement;
            Assert.StartsWith("http://0.0.0.0:", report.GetProperty("url").GetString(), StringComparison.Ordinal);
            var (own, owner) = AddressAndToken(report.GetProperty("page").GetString()!);
            await Eventually.IsAsync(async () => await StatusAsync(HttpMethod.Get, own, "/v2/game", owner) == HttpStatusCode.OK);
            Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(HttpMethod.Get, own, "/v2/game", "none"));
            Assert.Equal(HttpStatusCode.OK, await StatusAsync(HttpMethod.Post, own, "/v2/reset", owner));
            if (!report.TryGetProperty("share", out var share))
            {
                Assert.DoesNotContain(
                    NetworkInterface.GetAllNetworkInterfaces().Where(one => one.OperationalStatus == OperationalStatus.Up).SelectMany(one => one.GetIPProperties().UnicastAddresses),
                    unicast => unicast.Address.AddressFamily == AddressFamily.InterNetwork && !IPAddress.IsLoopback(unicast.Address));
                return;
            }

            var (address, guest) = AddressAndToken(share.GetString()!);
            Assert.Equal(HttpStatusCode.OK, await StatusAsync(HttpMethod.Get, address, "/v2/game", guest));
            Assert.Equal(HttpStatusCode.OK, await StatusAsync(HttpMethod.Delete, address, "/v2/keys", guest));
            Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(HttpMethod.Post, address, "/v2/reset", guest));
            Assert.Equal(HttpStatusCode.Forbidden, await StatusAsync(HttpMethod.Post, address, "/v2/lease", guest));
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithJson_WritesOneLineForPrograms()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], "run", "--port=0", "--json"))
        {
            await Eventually.Is(() => run.Said.Count > 0);
            var report = JsonDocument.Parse(run.Said.First()).RootElement;
            Assert.Equal($"http://127.0.0.1:{report.GetProperty("port").GetInt32()}", report.GetProperty("url").GetString());
            Assert.Equal($"{report.GetProperty("url").GetString()}/", report.GetProperty("page").GetString());
            Assert.Equal(run.Id, report.GetProperty("pid").GetInt32());
            Assert.Equal(Path.Combine(folder.FullName, "mgba-bridge", "1"), report.GetProperty("data").GetString());
            var emulator = Assert.Single(report.GetProperty("emulators").EnumerateArray());
            Assert.Equal(("1", false), (emulator.GetProperty("id").GetString(), emulator.GetProperty("window").GetBoolean()));
            Assert.EndsWith("demo.gba", emulator.GetProperty("rom").GetString(), StringComparison.Ordinal);
            Assert.False(report.TryGetProperty("note", out _));
            using var client = new HttpClient { BaseAddress = new Uri(report.GetProperty("url").GetString()!) };
            var process = JsonDocument.Parse((await AnswerAsync(client, "/v2/emulators"))!).RootElement[0];
            Assert.Equal(emulator.GetProperty("port").GetInt32(), process.GetProperty("port").GetInt32());
            Assert.Equal(emulator.GetProperty("pid").GetInt32(), process.GetProperty("process").GetProperty("pid").GetInt32());
            Assert.Equal(0, await run.TerminateAsync());
            Assert.DoesNotContain("Ended.", run.Said);
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_OfSeveralRomsWithoutALimitOfFrames_HasThemInTheirOrderAndRunsAll()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        string[] roms = [.. Enumerable.Range(1, 10).Select(number => Path.Combine(folder.FullName, $"{number}.gba"))]; // more than start at once
        foreach (var rom in roms)
        {
            File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), rom);
        }

        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], ["run", .. roms, "--fps=0", "--port=0", "--json"]))
        {
            await Eventually.Is(() => run.Said.Count > 0);
            var report = JsonDocument.Parse(run.Said.First()).RootElement;
            var emulators = report.GetProperty("emulators").EnumerateArray().Select(emulator => (emulator.GetProperty("id").GetString()!, emulator.GetProperty("rom").GetString()!));
            Assert.Equal(roms.Select((rom, index) => ($"{index + 1}", rom)), emulators);
            using var client = new HttpClient { BaseAddress = new Uri(report.GetProperty("url").GetString()!) };
            for (var id = 1; id <= roms.Length; id++)
            {
                var path = $"/i/{id}/v2/memory/0x02000008/u32"; // its frames
                await Eventually.IsAsync(async () => await AnswerAsync(client, path) is { } answer && JsonDocument.Parse(answer).RootElement.GetProperty("value").GetInt64() > 10);
            }

            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithAPatch_PlaysThePatchedGame()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var patch = Path.Combine(folder.FullName, "title.ips");
        await File.WriteAllBytesAsync(patch, [.. "PATCH"u8, 0, 0, 0xA0, 0, 4, .. "TALE"u8, .. "EOF"u8], TestContext.Current.CancellationToken);
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], "run", ":test:", "--port=0", "--no-browser", "--patch", Path.GetRelativePath(Directory.GetCurrentDirectory(), patch)))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            await Eventually.IsAsync(async () => await AnswerAsync(client, "/v2/game") is { } game && game.Contains("TALEBRIDGE", StringComparison.Ordinal));
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithAPatchAndCheatsBesideTheRom_AppliesThemAsAWindowDoes()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var rom = Path.Combine(folder.FullName, "game.gba");
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), rom);
        var patch = Path.ChangeExtension(rom, ".ips");
        var cheats = Path.ChangeExtension(rom, ".cheats");
        await File.WriteAllBytesAsync(patch, [.. "PATCH"u8, 0, 0, 0xA0, 0, 4, .. "TALE"u8, .. "EOF"u8], TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(cheats, "# Lives\n02010000:07\n", TestContext.Current.CancellationToken);
        string[] by = ["env", $"XDG_STATE_HOME={folder.FullName}"];
        await using (var run = GatewayProcess.Start(by, "run", rom, "--port=0", "--no-browser"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            foreach (var file in new[] { patch, cheats })
            {
                await Eventually.Is(() => run.Said.Contains($"           with {file}, which is beside the ROM; --no-auto leaves it out"), file);
            }

            var game = JsonDocument.Parse((await AnswerAsync(client, "/v2/game"))!).RootElement;
            Assert.Equal(("TALEBRIDGE", "game.ips", "game.cheats"), (game.GetProperty("title").GetString(), game.GetProperty("patch").GetString(), game.GetProperty("cheats").GetString()));
            Assert.Contains("Lives", await AnswerAsync(client, "/v2/cheats"), StringComparison.Ordinal);
            Assert.Equal(0, await run.TerminateAsync());
        }

        await using (var run = GatewayProcess.Start(by, "run", rom, "--port=0", "--no-browser", "--no-auto"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            var game = JsonDocument.Parse((await AnswerAsync(client, "/v2/game"))!).RootElement;
            Assert.Equal("MGBABRIDGE", game.GetProperty("title").GetString());
            Assert.False(game.TryGetProperty("patch", out _) || game.TryGetProperty("cheats", out _));
            Assert.Equal(0, await run.TerminateAsync());
        }

        // the first one of the window's order, which is damaged
        await File.WriteAllTextAsync(Path.ChangeExtension(rom, ".bps"), "no patch", TestContext.Current.CancellationToken);
        await using (var run = GatewayProcess.Start(by, "run", rom, "--port=0", "--no-browser"))
        {
            Assert.Equal(1, await run.EndsAsync());
            Assert.Matches("game.bps.*Beside the ROM, and applied, is .*game.bps and .*game.cheats; --no-auto leaves out such files", Assert.Single(run.Said));
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithGdb_LetsADebuggerHaltTheGame()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var port = Clients.FreePort();
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], "run", ":test:", "--port=0", "--no-browser", $"--gdb={port}"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            using var debugger = new TcpClient();
            await debugger.ConnectAsync(IPAddress.Loopback, port, TestContext.Current.CancellationToken);
            await debugger.GetStream().WriteAsync("$?#3f"u8.ToArray(), TestContext.Current.CancellationToken);
            var answer = new byte[5];
            await debugger.GetStream().ReadExactlyAsync(answer, TestContext.Current.CancellationToken);
            Assert.Equal("+$T05", Encoding.ASCII.GetString(answer));
            var frame = await AnswerAsync(client, "/v2/keys");
            Assert.NotNull(frame);
            await Task.Delay(100, TestContext.Current.CancellationToken);
            Assert.Equal(frame, await AnswerAsync(client, "/v2/keys"));
            debugger.Close();
            await Eventually.IsAsync(async () => await AnswerAsync(client, "/v2/keys") != frame);
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithSymbolsBesideTheRom_LoadsTheFirstFileThatHasAny()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        string PathOf(string name) => Path.Combine(folder.FullName, name);
        string[] by = ["env", $"XDG_STATE_HOME={folder.FullName}"];
        File.Copy(Repository.File("headless/roms/mgba-bridge-test.gba"), PathOf("game.gba"));
        await File.WriteAllTextAsync(PathOf("game.elf"), "none", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("game.sym"), "02000000 g 00000004 first\n", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(PathOf("game.map"), "02000004 g 00000004 second\n", TestContext.Current.CancellationToken);
        await using (var run = GatewayProcess.Start(by, "run", PathOf("game.gba"), "--port=0", "--no-browser"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            await Eventually.Is(() => run.Said.Any(line => line.EndsWith($"with the symbols of {PathOf("game.sym")}", StringComparison.Ordinal)));
            await Eventually.Is(() => run.Said.Any(line => line.Contains($"The names beside the ROM, {PathOf("game.elf")}, were not loaded: Line 1", StringComparison.Ordinal)));
            Assert.Contains("\"value\":", await AnswerAsync(client, "/v2/values/first"), StringComparison.Ordinal);
            Assert.Equal(0, await run.TerminateAsync());
        }

        // those of the folder of the settings go before them
        var crc32 = Crc32.Of(await File.ReadAllBytesAsync(PathOf("game.gba"), TestContext.Current.CancellationToken));
        Directory.CreateDirectory(PathOf("names"));
        await File.WriteAllTextAsync(Path.Combine(PathOf("names"), $"{crc32:X8}.sym"), "02000000 g 00000004 third\n", TestContext.Current.CancellationToken);
        await using (var run = GatewayProcess.Start(by, "run", PathOf("game.gba"), "--port=0", "--json", $"--Bridge:Symbols:Folder={PathOf("names")}"))
        {
            await Eventually.Is(() => run.Said.Any(static line => line.StartsWith('{')));
            var report = JsonDocument.Parse(run.Said.First(static line => line.StartsWith('{'))).RootElement;
            Assert.False(report.GetProperty("emulators")[0].TryGetProperty("symbols", out _));
            using var client = new HttpClient { BaseAddress = new Uri(report.GetProperty("url").GetString()!) };
            Assert.Contains("\"value\":", await AnswerAsync(client, "/v2/values/third"), StringComparison.Ordinal);
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithCheats_ListsThem()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var cheats = Path.Combine(folder.FullName, "game.cht");
        await File.WriteAllTextAsync(cheats, "# Lives\n02010000:07\n# Bad\nnone\n", TestContext.Current.CancellationToken);
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}"], "run", "--port=0", "--no-browser", "--cheats", Path.GetRelativePath(Directory.GetCurrentDirectory(), cheats)))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            var listed = await AnswerAsync(client, "/v2/cheats");
            Assert.Contains("""{"name":"Lives","enabled":true,"codes":["02010000:07"]},{"name":"Bad","enabled":false,"codes":["none"],"problem":"line 4: """, listed, StringComparison.Ordinal);
            await Eventually.Is(() => run.Said.Any(line => line.Contains($"The cheat Bad of {cheats} cannot be used: line 4: ", StringComparison.Ordinal)));
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_FromAState_IsPausedAtItsMoment()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        const string Mark = "/v2/memory/0x02010000/u16";
        string[] by = ["env", $"XDG_STATE_HOME={folder.FullName}"];
        var state = Path.Combine(folder.FullName, "state.ss");
        await using (var run = GatewayProcess.Start(by, "run", ":test:", "--port=0", "--no-browser"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            using var mark = new StringContent("""{"value":4711}""", Encoding.UTF8, "application/json");
            await client.PutAsync(Mark, mark, TestContext.Current.CancellationToken);
            await File.WriteAllBytesAsync(state, await client.GetByteArrayAsync("/v2/state", TestContext.Current.CancellationToken), TestContext.Current.CancellationToken);
            Assert.Equal(0, await run.TerminateAsync());
        }

        await using (var run = GatewayProcess.Start(by, "run", ":test:", "--port=0", "--no-browser", "--paused", "--state", state))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            Assert.Contains("\"value\":4711", await AnswerAsync(client, Mark), StringComparison.Ordinal);
            Assert.Contains("\"paused\":true", await AnswerAsync(client, "/v2/status"), StringComparison.Ordinal);
            var picture = await client.GetByteArrayAsync("/v2/screen", TestContext.Current.CancellationToken);
            Assert.Equal(picture, await client.GetByteArrayAsync("/v2/screen", TestContext.Current.CancellationToken));
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Run_ThatEndsWhileTheSaveCannotBeWritten_KeepsItInAStateOrFails(bool statesAreTaken)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using var disk = await SmallDisk.StartAsync(Path.Combine(folder.FullName, "roms"));
        string[] arguments = ["run", disk.Rom, "--port=0", "--no-browser", $"--Bridge:Owned:DataFolder={Path.Combine(folder.FullName, "data")}", "--Bridge:Owned:StateEvery=1.00:00:00"];
        await using (var run = GatewayProcess.Start(disk.Inside, [.. arguments, $"--Bridge:Owned:KeptStates={(statesAreTaken ? 5 : 0)}"]))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            Assert.Equal(HttpStatusCode.OK, await PutSaveAsync(client, 0x11));
            disk.Fill();
            Assert.Equal(HttpStatusCode.InsufficientStorage, await PutSaveAsync(client, 0x22));
            foreach (var (method, path) in new[] { (HttpMethod.Post, "/v2/emulators/1/restart"), (HttpMethod.Delete, "/v2/emulators/1") })
            {
                using var request = new HttpRequestMessage(method, path);
                using var refused = await client.SendAsync(request, TestContext.Current.CancellationToken);
                Assert.Equal(HttpStatusCode.InsufficientStorage, refused.StatusCode);
                Assert.Contains(":save-failed\"", await refused.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
            }

            Assert.Equal(0x22, await SavedAsync(client));
            Assert.Equal(statesAreTaken ? 0 : ExitCodes.FileError, await run.TerminateAsync());
            Assert.Contains(run.Said, line => line.Contains(statesAreTaken ? "has it: the next run continues from it" : "the save that the game held is lost", StringComparison.Ordinal));
            Assert.Contains("Ended.", run.Said);
        }

        disk.Free();
        await using (var run = GatewayProcess.Start(disk.Inside, arguments))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            Assert.Equal(statesAreTaken ? 0x22 : 0x11, await SavedAsync(client));
            Assert.Equal(0, await run.TerminateAsync());
            Assert.Equal(statesAreTaken ? 0x22 : 0x11, (await File.ReadAllBytesAsync(disk.Save, TestContext.Current.CancellationToken))[0]);
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Save_SentWhileTheDiskIsFull_IsRefusedAsNotWrittenAndWrittenWhenThereIsRoom()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using var disk = await SmallDisk.StartAsync(Path.Combine(folder.FullName, "roms"));
        await using (var run = GatewayProcess.Start(disk.Inside, "run", disk.Rom, "--port=0", "--no-browser", $"--Bridge:Owned:DataFolder={Path.Combine(folder.FullName, "data")}"))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            async Task<string?> ProblemAsync() => JsonDocument.Parse((await AnswerAsync(client, "/v2/status"))!).RootElement.TryGetProperty("saveProblem", out var problem) ? problem.GetString() : null;
            Assert.Equal(HttpStatusCode.OK, await PutSaveAsync(client, 0x11));
            var before = await File.ReadAllBytesAsync(disk.Save, TestContext.Current.CancellationToken);
            disk.Fill();

            using (var refused = await SendSaveAsync(client, 0x22))
            {
                Assert.Equal(HttpStatusCode.InsufficientStorage, refused.StatusCode);
                var problem = JsonDocument.Parse(await refused.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
                Assert.EndsWith(":save-failed", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
                Assert.Contains("No space left on device", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
            }

            Assert.Equal(0x22, await SavedAsync(client)); // the game has it
            Assert.Equal(before, await File.ReadAllBytesAsync(disk.Save, TestContext.Current.CancellationToken));
            await Eventually.IsAsync(async () => (await ProblemAsync())?.Contains("No space left on device", StringComparison.Ordinal) == true);

            disk.Free();
            await Eventually.IsAsync(async () => await ProblemAsync() is null);
            Assert.Equal(Enumerable.Repeat((byte)0x22, before.Length), await File.ReadAllBytesAsync(disk.Save, TestContext.Current.CancellationToken));
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData("run")]
    [InlineData("mcp")]
    public async Task Run_OnThePortOfTheEnvironment_StaysThereOrFails(string verb)
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        using var first = await OccupiedPort.OfAsync(FirstPort);
        string[] game = verb == "mcp" ? [Repository.File("headless/roms/mgba-bridge-test.gba")] : ["--no-browser"];
        await using (var run = GatewayProcess.Start(["env", $"XDG_STATE_HOME={folder.FullName}", $"Bridge__HttpPort={FirstPort}"], [verb, .. game]))
        {
            Assert.Equal(3, await run.EndsAsync());
            var line = Assert.Single(run.Said);
            Assert.Contains($"127.0.0.1:{FirstPort}", line, StringComparison.Ordinal);
            Assert.Contains("Bridge:HttpPort", line, StringComparison.Ordinal);
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_StartedTwiceAtOnce_TakesTwoPorts()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        await using (var one = GatewayProcess.Start([], "run", "--no-browser", $"--Bridge:Owned:DataFolder={folder.FullName}"))
        await using (var two = GatewayProcess.Start([], "run", "--no-browser", $"--Bridge:Owned:DataFolder={folder.FullName}"))
        {
            foreach (var name in new[] { "HTTP", "data" })
            {
                Assert.NotEqual(await AnnouncedAsync(one, name), await AnnouncedAsync(two, name));
            }

            foreach (var run in new[] { one, two })
            {
                var port = new Uri(await AnnouncedAsync(run, "HTTP")).Port;
                bool SaysWhy() => run.Said.Any(line => Regex.IsMatch(line, $"^port {FirstPort} is in use by .+, so the gateway uses {port}$"));
                await Eventually.Is(() => SaysWhy() || port == FirstPort);
                Assert.Equal(port != FirstPort, SaysWhy());
            }
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_ThatIsStoppedWhileItStarts_EndsAtOnceWithoutAProblem()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var started = Path.Combine(folder.FullName, "started");
        var window = ShellProgram.Write(Path.Combine(folder.FullName, "window"), $"[ \"$1\" != --help ] || exit\n: > {started}\nexec sleep 600");
        string[] settings = [$"--Bridge:Owned:DataFolder={folder.FullName}", $"--Bridge:Owned:WindowProgram={window}", "--Bridge:Owned:StartTimeout=00:05:00"];
        await using (var run = GatewayProcess.Start([], ["run", "--window", "--port=0", "--no-browser", .. settings]))
        {
            await Eventually.Is(() => File.Exists(started));
            Assert.Equal(0, await run.TerminateAsync());
            Assert.DoesNotContain(run.Said, line => line.Contains("cannot start", StringComparison.Ordinal));
        }

        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Run_WithAWindowThatIsKilled_AnswersWhileItStartsItAgain()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-run-");
        var window = ShellProgram.Write(Path.Combine(folder.FullName, "window"), "[ \"$1\" != --help ] || { sleep 0.5; exit; }\nexec sleep 600");
        string[] settings = [$"--Bridge:Owned:DataFolder={folder.FullName}", $"--Bridge:Owned:WindowProgram={window}", "--Bridge:Owned:StartTimeout=00:00:01"];
        await using (var run = GatewayProcess.Start([], ["run", "--window", "--port=0", "--no-browser", .. settings]))
        {
            using var client = new HttpClient { BaseAddress = new Uri(await AnnouncedAsync(run, "HTTP")) };
            async Task<JsonElement> ProcessAsync() => JsonDocument.Parse((await AnswerAsync(client, "/v2/emulators"))!).RootElement[0].GetProperty("process");
            var first = (await ProcessAsync()).GetProperty("pid").GetInt32();
            using (var killed = Process.GetProcessById(first))
            {
                killed.Kill();
            }

            await Eventually.IsAsync(async () => await ProcessAsync() is var process && process.GetProperty("restarts").GetInt32() >= 1 && process.GetProperty("pid").GetInt32() is var second && second != 0 && second != first);
            Assert.Equal(0, await run.TerminateAsync());
        }

        folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData(2, "Did you mean Bridge:Owned:StateEvery", "run", "--port=0", "--Bridge:Owned:StateEvry=00:00:10")]
    [InlineData(2, "Bridge:Owned:ScriptPort is 70000; expected 1..65535", "run", "--port=0", "--script-port=70000")]
    [InlineData(2, "Bridge:Http:Token", "run", "--urls=http://192.0.2.1:5000")]
    [InlineData(2, "does not exist", "run", "/nonexistent.gba")]
    [InlineData(2, "is a folder", "run", "/")]
    [InlineData(1, "did not start", "run", "/etc/hostname", "--port=0")]
    [InlineData(1, "was not found|does not exist", "run", "--port=0", "--window")]
    [InlineData(1, "The state /nonexistent.ss cannot be loaded: Could not find file", "run", "--port=0", "--state=/nonexistent.ss")]
    [InlineData(1, "The state /etc/hostname cannot be loaded: ", "run", "--port=0", "--state=/etc/hostname")]
    [InlineData(2, "^--state cannot be used with a window", "run", "--port=0", "--window", "--state=/nonexistent.ss")]
    [InlineData(2, "^--paused cannot be used with a window", "run", "--port=0", "--window", "--paused")]
    [InlineData(2, "^--watch cannot be used with a window", "run", "--port=0", "--window", "--watch")]
    [InlineData(1, "cannot open the cheats \"/nonexistent.cht\"", "run", "--port=0", "--cheats=/nonexistent.cht")]
    [InlineData(2, "^--cheats cannot be used with a window", "run", "--port=0", "--window", "--cheats=/nonexistent.cht")]
    [InlineData(1, "cannot open the patch \"/nonexistent.ips\"", "run", "--port=0", "--patch=/nonexistent.ips")]
    [InlineData(2, "^--patch cannot be used with a window", "run", "--port=0", "--window", "--patch=/nonexistent.ips")]
    [InlineData(2, "^--clock cannot be used with a window; start the game without one, or use the time of the machine", "run", "--port=0", "--window", "--clock=host")]
    [InlineData(2, "^--clock is \"noon\"; expected host, ", "run", "--port=0", "--clock=noon")]
    [InlineData(2, "^--hardware is \"sonar\"; expected none, ", "run", "--port=0", "--hardware", "sonar")]
    [InlineData(2, "^--save-type is \"flash\"; expected one of none, ", "run", "--port=0", "--save-type", "flash")]
    [InlineData(2, "^--fps is 1000000; expected a number from 0 to 100000", "mcp", ":test:", "--fps=1000000")]
    [InlineData(2, "^--gdb is 0; expected a number from 1 to 65535", "run", "--port=0", "--gdb=0")]
    [InlineData(2, "^--gdb cannot be used with a window; start the game without one, or start its debugger", "run", "--port=0", "--window", "--gdb=2345")]
    [InlineData(2, "Bridge:Owned:Gdb is 65535; the ports of 2 emulators from there on end above 65535", "run", ":test:", ":test:", "--port=0", "--gdb=65535")]
    [InlineData(2, "Bridge:Owned:Clock is \"noon\"; expected host, ", "serve", "--urls=http://127.0.0.1:0", "--Bridge:Owned:Clock=noon")]
    [InlineData(2, "Bridge:Owned:Patch is for one ROM, and there are 0", "serve", "--urls=http://127.0.0.1:0", "--Bridge:Owned:Patch=/nonexistent.ips")]
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

    // what a line of the announcement says
    private static async Task<string> AnnouncedAsync(GatewayProcess run, string name)
    {
        await Eventually.Is(() => run.Said.Any(line => line.StartsWith("End:", StringComparison.Ordinal)) || run.HasEnded);
        Assert.False(run.HasEnded, string.Join(Environment.NewLine, run.Said));
        return run.Said.First(line => line.StartsWith($"  {name} ", StringComparison.Ordinal))[(name.Length + 3)..].Trim();
    }

    private static async Task<string?> AnswerAsync(HttpClient client, string path)
    {
        using var response = await client.GetAsync(path, TestContext.Current.CancellationToken);
        return response.IsSuccessStatusCode ? await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken) : null;
    }

    private static async Task<HttpStatusCode> PutSaveAsync(HttpClient client, byte value)
    {
        using var response = await SendSaveAsync(client, value);
        return response.StatusCode;
    }

    private static async Task<HttpResponseMessage> SendSaveAsync(HttpClient client, byte value)
    {
        var save = new byte[32_768];
        Array.Fill(save, value);
        using var content = new ByteArrayContent(save);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        return await client.PutAsync("/v2/save", content, TestContext.Current.CancellationToken);
    }

    private static async Task<int> SavedAsync(HttpClient client) => (await client.GetByteArrayAsync("/v2/save", TestContext.Current.CancellationToken))[0];

    /// <summary>A port that is in use, by this test or by another program.</summary>
    private sealed class OccupiedPort : IDisposable
    {
        private readonly TcpListener _listener;

        private OccupiedPort(int port) => _listener = new TcpListener(IPAddress.Loopback, port);

        public static async Task<OccupiedPort> OfAsync(int port)
        {
            // gateways of other tests on this machine have it for a while; who has it for long keeps it
            var since = Stopwatch.GetTimestamp();
            while (true)
            {
                var occupied = new OccupiedPort(port);
                try
                {
                    occupied._listener.Start();
                    return occupied;
                }
                catch (SocketException) when (Stopwatch.GetElapsedTime(since) < TimeSpan.FromSeconds(60))
                {
                    occupied.Dispose();
                    await Task.Delay(10, TestContext.Current.CancellationToken);
                }
                catch (SocketException)
                {
                    return occupied;
                }
            }
        }

        public void Dispose() => _listener.Dispose();
    }

    private static (string Address, string Token) AddressAndToken(string page)
    {
        var parts = page.Split("/#/play?token=");
        return (parts[0], parts[1]);
    }

    private static async Task<HttpStatusCode> StatusAsync(HttpMethod method, string address, string path, string token)
    {
        using var client = new HttpClient();
        using var request = new HttpRequestMessage(method, $"{address}{path}") { Headers = { Authorization = new AuthenticationHeaderValue("Bearer", token) } };
        using var response = await client.SendAsync(request, TestContext.Current.CancellationToken);
        return response.StatusCode;
    }
}
