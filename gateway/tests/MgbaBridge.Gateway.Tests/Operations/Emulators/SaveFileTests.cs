using System.Net.Http.Json;
using System.Text.Json;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Operations.Emulators;

/// <summary>Whose save file an emulator has, and what becomes of play when its gateway is killed; on the real core.</summary>
public sealed class SaveFileTests
{
    private const string Saved = "/v2/memory/0x0E000010/u8"; // save RAM, which becomes the save file
    private const string Marker = "/v2/memory/0x02001000/u32";
    private const int AtOnce = 4;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Emulators_OfOneRomStartedAtOnce_HaveSavesOfTheirOwn()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        var started = await Task.WhenAll(Enumerable.Range(0, AtOnce).Select(_ => gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba"}""")));
        var saves = started.Select(emulator => emulator.GetProperty("process").GetProperty("saves").GetString()!).ToArray();
        Assert.Equal(AtOnce, saves.Distinct().Count());
        Assert.Single(saves, gateway.Roms);
        await WriteAndCompareAsync(gateway, [.. started.Select(emulator => emulator.GetProperty("id").GetString()!)]);
    }

    [Fact]
    public async Task Emulators_OfOneRomInTwoGateways_HaveSavesOfTheirOwn()
    {
        var folder = OwnedGateway.Prepare();
        var first = await OwnedGateway.StartAsync(folder, 1);
        await using (var second = await OwnedGateway.StartAsync(folder, 1))
        {
            Assert.Equal(first.Roms, (await first.ProcessAsync("1")).GetProperty("saves").GetString());
            Assert.StartsWith(Path.Combine(second.Folder, "data", "2"), (await second.ProcessAsync("1")).GetProperty("saves").GetString(), StringComparison.Ordinal);
            await first.Host.DisposeAsync();
            var next = await second.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba"}""");
            Assert.Equal(first.Roms, next.GetProperty("process").GetProperty("saves").GetString());
        }
    }

    /// <summary>The save beside the ROM is in use, as if its folder could not be written.</summary>
    [Fact]
    public async Task Save_ThatIsNotBesideItsRom_BelongsToTheRomWhateverTheIdIs()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        using var beside = SaveReservation.Take(gateway.Roms, Path.Combine(gateway.Roms, "test.gba"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"first"}""");
        await gateway.SendAsync(HttpMethod.Put, $"/i/first{Saved}", """{"value":7}""");
        await gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/first");

        var folder = Directory.CreateDirectory(Path.Combine(gateway.Roms, "other"));
        File.Copy(Path.Combine(gateway.Roms, "test.gba"), Path.Combine(folder.FullName, "test.gba"));
        using var besideOther = SaveReservation.Take(folder.FullName, Path.Combine(folder.FullName, "test.gba"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"other/test.gba","id":"first"}""");
        Assert.Equal(255, await ReadAsync(gateway, "first"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"second"}""");
        Assert.Equal(7, await ReadAsync(gateway, "second"));
    }

    /// <summary>As a host of a fleet starts its sessions.</summary>
    [Fact]
    public async Task Emulators_WithTheSaveOfAState_UseNoOtherOneAndBeginWithIt()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        var rom = Path.Combine(gateway.Roms, "test.gba");
        string[] ids = [.. Enumerable.Range(0, AtOnce).Select(number => $"session-{number}")];
        var started = await Task.WhenAll(ids.Select(id => gateway.Supervisor.StartAsync(new EmulatorRequest(rom, new EmulatorOptions()) { Id = id, SaveOfState = true })));
        Assert.All(started, result => Assert.Null(result.Detail));
        Assert.Equal(AtOnce, started.Select(result => result.Emulator!.Status.Saves).Distinct().Count());
        Assert.DoesNotContain(started, result => result.Emulator!.Status.Saves == gateway.Roms);
        await WriteAndCompareAsync(gateway, ids);
        Assert.Empty(Directory.GetFiles(gateway.Roms, "*.sav*"));

        // it moves to another host, where another session of this id has been
        var (taken, _) = await TakenState.TakeAsync(started[2].Emulator!.Client, default, Cancelled);
        var state = gateway.Host.Services.GetRequiredService<StateStore>().Save("moved", ids[2], taken!);
        await Task.WhenAll(gateway.Supervisor.StopAsync(ids[1]), gateway.Supervisor.StopAsync(ids[2]));
        await gateway.Supervisor.StartAsync(new EmulatorRequest(rom, new EmulatorOptions()) { Id = ids[1], State = state, SaveOfState = true }, Cancelled);
        Assert.Equal(3, await ReadAsync(gateway, ids[1]));
        await gateway.Supervisor.StopAsync(ids[1]);
        await gateway.Supervisor.StartAsync(new EmulatorRequest(rom, new EmulatorOptions()) { Id = ids[1], SaveOfState = true }, Cancelled);
        Assert.Equal(255, await ReadAsync(gateway, ids[1]));
    }

    [Fact]
    public async Task Emulators_WithoutSaves_BeginWithNoneInEachRunAndChangeNone()
    {
        var folder = OwnedGateway.Prepare();
        var first = await OwnedGateway.StartAsync(folder, 1);
        await first.SendAsync(HttpMethod.Put, $"/i/1{Saved}", """{"value":7}""");
        await first.Host.DisposeAsync();
        foreach (var run in (int[])[1, 2])
        {
            var without = await OwnedGateway.StartAsync(folder, 2, ("Owned:NoSaves", "true"));
            foreach (var id in (string[])["1", "2"])
            {
                Assert.Equal(255, await ReadAsync(without, id));
                await without.SendAsync(HttpMethod.Put, $"/i/{id}{Saved}", $$"""{"value":{{run}}}""");
                await without.SendAsync(HttpMethod.Post, $"/v2/emulators/{id}/restart");
                Assert.Equal(run, await ReadAsync(without, id));
            }

            await without.Host.DisposeAsync();
        }

        await using var last = await OwnedGateway.StartAsync(folder, 1);
        Assert.Equal(7, await ReadAsync(last, "1"));
    }

    [Fact]
    public async Task Run_AfterItsGatewayWasKilled_ContinuesFromTheNewestState()
    {
        var folder = OwnedGateway.Prepare();
        await using (var killed = await RunAsync(folder))
        {
            Assert.False(killed.Emulator.TryGetProperty("continuedFrom", out _));
            await killed.PlayAsync(4711);
            await killed.KillAsync();
        }

        string[] before;
        await using (var again = await RunAsync(folder))
        {
            var newest = again.Emulator.GetProperty("continuedFrom").GetString();
            Assert.StartsWith("auto.1.", newest, StringComparison.Ordinal);
            Assert.Equal(4711, await again.MarkerAsync());
            before = [.. (await again.StatesAsync()).Select(state => state.GetProperty("name").GetString()!).Where(name => string.CompareOrdinal(name, newest) <= 0)];
            await Eventually.IsAsync(async () => (await again.StatesAsync()).Length > before.Length); // KeptStates of its own, and those of the run before
            Assert.Subset((await again.StatesAsync()).Select(state => state.GetProperty("name").GetString()!).ToHashSet(), before.ToHashSet());
            await again.KillAsync();
        }

        await using (var fresh = await RunAsync(folder, "--fresh"))
        {
            Assert.False(fresh.Emulator.TryGetProperty("continuedFrom", out _));
            Assert.Equal(0, await fresh.MarkerAsync());
            Assert.Contains(await fresh.StatesAsync(), state => state.GetProperty("name").GetString() == before[0]);
            await fresh.PlayAsync(4712);
            await fresh.EndAsync();
        }

        await using (var next = await RunAsync(folder))
        {
            Assert.False(next.Emulator.TryGetProperty("continuedFrom", out _));
            Assert.Equal(0, await next.MarkerAsync());
            await next.EndAsync();
        }

        Assert.Equal(["test.gb", "test.gba"], Directory.GetFiles(Path.Combine(folder.FullName, "roms")).Select(Path.GetFileName).Where(name => !name!.EndsWith(".sav", StringComparison.Ordinal)).Order());
        folder.Delete(recursive: true);
    }

    /// <summary>A state of the old build would run the new one's code at an address of the old one.</summary>
    [Fact]
    public async Task Run_OfARomThatWasBuiltAgainMeanwhile_StartsFromTheSaveFile()
    {
        var folder = OwnedGateway.Prepare();
        await using (var killed = await RunAsync(folder))
        {
            await killed.PlayAsync(4711);
            await killed.KillAsync();
        }

        await File.AppendAllBytesAsync(Path.Combine(folder.FullName, "roms", "test.gba"), [1], Cancelled);
        await using var again = await RunAsync(folder);
        Assert.False(again.Emulator.TryGetProperty("continuedFrom", out _));
        Assert.Equal(0, await again.MarkerAsync());
        await Eventually.Is(() => again.Said.Any(line => line.Contains("the ROM has changed since", StringComparison.Ordinal)));
        await again.EndAsync();
        folder.Delete(recursive: true);
    }

    /// <summary>A state from before the save would let the game overwrite it later.</summary>
    [Fact]
    public async Task Run_AfterASaveWasPutAndItsGatewayKilled_HasThatSave()
    {
        var folder = OwnedGateway.Prepare();
        var data = Enumerable.Repeat((byte)7, 32_768).ToArray();
        await using (var killed = await RunAsync(folder, "--Bridge:Owned:StateEvery=01:00:00"))
        {
            await killed.PutSaveAsync(data);
            await killed.KillAsync();
        }

        await using var again = await RunAsync(folder);
        Assert.Equal(data, await File.ReadAllBytesAsync(Path.Combine(folder.FullName, "roms", "test.sav"), Cancelled));
        Assert.Equal(data, await again.SaveAsync());
        await again.EndAsync();
        folder.Delete(recursive: true);
    }

    /// <summary>The other gateway had the first data folder, and is not started again.</summary>
    [Fact]
    public async Task Run_AfterTwoGatewaysWereKilled_ContinuesWithTheStatesOfItsOwn()
    {
        var folder = OwnedGateway.Prepare();
        await using (var first = await RunAsync(folder, "--Bridge:Owned:Roms:0=:test:"))
        {
            await using var second = await RunAsync(folder);
            await second.PlayAsync(4711);
            await second.KillAsync();
            await first.KillAsync();
        }

        await using var again = await RunAsync(folder);
        Assert.Equal(4711, await again.MarkerAsync());
        await again.EndAsync();
        folder.Delete(recursive: true);
    }

    /// <summary>Writes a number into each one's save, and compares.</summary>
    private static async Task WriteAndCompareAsync(OwnedGateway gateway, string[] ids)
    {
        foreach (var (number, id) in ids.Index())
        {
            await gateway.SendAsync(HttpMethod.Put, $"/i/{id}{Saved}", $$"""{"value":{{number + 1}}}""");
        }

        foreach (var (number, id) in ids.Index())
        {
            Assert.Equal(number + 1, await ReadAsync(gateway, id));
        }
    }

    private static async Task<int> ReadAsync(OwnedGateway gateway, string id) => (await gateway.GetAsync($"/i/{id}{Saved}")).GetProperty("value").GetInt32();

    private static async Task<RunningGame> RunAsync(DirectoryInfo folder, params string[] arguments)
    {
        var gateway = GatewayProcess.Start(
            [],
            [
                "run", Path.Combine(folder.FullName, "roms", "test.gba"), "--json", "--Bridge:HttpPort=0", $"--Bridge:Owned:DataFolder={folder.FullName}/data",
                "--Bridge:Owned:StateEvery=00:00:01", "--Bridge:Owned:KeptStates=2", .. arguments,
            ]);
        await Eventually.Is(() => gateway.HasEnded || gateway.Said.Any(line => line.StartsWith('{')));
        var report = JsonDocument.Parse(gateway.Said.FirstOrDefault(line => line.StartsWith('{')) ?? throw new InvalidOperationException(string.Join('\n', gateway.Said))).RootElement;
        return new RunningGame(gateway, report);
    }

    /// <summary>A game that <c>mgba-bridge run</c> plays.</summary>
    private sealed class RunningGame(GatewayProcess gateway, JsonElement report) : IAsyncDisposable
    {
        private readonly HttpClient _client = new() { BaseAddress = new Uri(report.GetProperty("url").GetString()!) };

        public IEnumerable<string> Said => gateway.Said;

        public JsonElement Emulator => report.GetProperty("emulators")[0];

        public async Task<long> MarkerAsync() => (await _client.GetFromJsonAsync<JsonElement>(Marker, Cancelled)).GetProperty("value").GetInt64();

        public Task<byte[]> SaveAsync() => _client.GetByteArrayAsync("/v2/save", Cancelled);

        public async Task PutSaveAsync(byte[] data)
        {
            using var put = await _client.PutAsync("/v2/save", new ByteArrayContent(data), Cancelled);
            Assert.True(put.IsSuccessStatusCode, await put.Content.ReadAsStringAsync(Cancelled));
        }

        public async Task<JsonElement[]> StatesAsync() => [.. (await _client.GetFromJsonAsync<JsonElement>("/v2/states", Cancelled)).GetProperty("states").EnumerateArray()];

        /// <summary>Changes the game, and waits until a state has the change.</summary>
        public async Task PlayAsync(int value)
        {
            await Eventually.IsAsync(async () => (await _client.GetFromJsonAsync<JsonElement>("/v2/memory/0x02000008/u32", Cancelled)).GetProperty("value").GetInt64() > 0);
            using var written = await _client.PutAsync(Marker, new StringContent($$"""{"value":{{value}}}""", null, "application/json"), Cancelled);
            written.EnsureSuccessStatusCode();
            var frame = (await written.Content.ReadFromJsonAsync<JsonElement>(Cancelled)).GetProperty("frame").GetInt64();
            await Eventually.IsAsync(async () => (await StatesAsync()).Length > 0 && (await StatesAsync())[0].GetProperty("frame").GetInt64() > frame);
        }

        /// <summary>Kills the gateway, and waits until its emulator has ended as well.</summary>
        public async Task KillAsync()
        {
            gateway.Signal("-KILL");
            await gateway.EndsAsync();
            await Eventually.Is(() => !OwnedGateway.IsRunning(Emulator.GetProperty("pid").GetInt32()));
        }

        public async Task EndAsync() => Assert.Equal(0, await gateway.TerminateAsync());

        public async ValueTask DisposeAsync()
        {
            _client.Dispose();
            await gateway.DisposeAsync();
        }
    }
}
