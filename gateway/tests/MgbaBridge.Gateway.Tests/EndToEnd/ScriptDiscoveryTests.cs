using System.Buffers;
using System.Globalization;
using System.Net.Http.Json;
using System.Text.Json;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>The setting Discover, on the real core. Each test has ports of its own.</summary>
public sealed class ScriptDiscoveryTests
{
    private const string Secret = "0123456789abcdef";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public void Discover_WithoutEmulatorsInTheSettings_IsOn()
    {
        Assert.True(new BridgeOptions().DiscoverOrDefault);
        Assert.False(new BridgeOptions { Emulators = [new ConnectedEmulatorOptions { Port = 8888 }] }.DiscoverOrDefault);
        Assert.False(new BridgeOptions { Owned = new OwnedEmulatorOptions { Roms = [BundledGames.Test] } }.DiscoverOrDefault);
        Assert.True(new BridgeOptions { Discover = true, Emulators = [new ConnectedEmulatorOptions()] }.DiscoverOrDefault);
        Assert.False(new BridgeOptions { Discover = false }.DiscoverOrDefault);
    }

    [Fact]
    public async Task Emulators_ThatAppearAndGo_AreAddedAndRemoved()
    {
        using var ports = new ScriptPorts();
        await using var gateway = GatewayHost.StartWithoutPort(ports.Setting, ("Discover", "true"));
        await using var first = await HeadlessEmulator.StartAsync(ports.Next());
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Ready);
        await using var second = await HeadlessEmulator.StartAsync(ports.Next());
        await Eventually.Is(() => IsReady(gateway, IdOf(first)) && IsReady(gateway, IdOf(second)));
        Assert.Equal(["1", IdOf(second)], await ListedAsync(gateway));
        Assert.Equal(first.Port, await PortAsync(gateway, $"/i/{IdOf(first)}/v2/status"));
        Assert.Equal(second.Port, await PortAsync(gateway, $"/i/{IdOf(second)}/v2/status"));

        // the emulator of paths without an id takes over, and the other one keeps its id
        await first.KillAsync();
        await Eventually.IsAsync(async () => (await ListedAsync(gateway)).SequenceEqual(["1"]) && gateway.Emulators.First.Health is { State: EmulatorState.Ready, Hello: { } hello } && hello.Port == second.Port);
        Assert.Equal(second.Port, await PortAsync(gateway, $"/i/{IdOf(second)}/v2/status"));
        await Eventually.Is(() => !gateway.Emulators.TryGet(IdOf(first), null, out _));

        await using var third = await HeadlessEmulator.StartAsync(ports.Next());
        await Eventually.Is(() => IsReady(gateway, IdOf(third)));
        await third.KillAsync();
        await Eventually.IsAsync(async () => (await ListedAsync(gateway)).SequenceEqual(["1"]));
        Assert.Equal(EmulatorState.Ready, gateway.Emulators.First.Health.State);
    }

    [Fact]
    public async Task Scripts_WithASecret_AreAddedWhenTheGatewayHasItAndReportedOtherwise()
    {
        using var ports = new ScriptPorts();
        await using var plain = await HeadlessEmulator.StartAsync(ports.Next());
        await using var secured = await HeadlessEmulator.StartAsync(ports.Next(), secret: Secret);
        await using (var without = GatewayHost.StartWithoutPort(ports.Setting, ("Discover", "true"), ("Emulators:0:Nonce", plain.Nonce)))
        {
            await Eventually.Is(() => without.Emulators.Unusable.Count == 1);
            var listed = (await without.Client.GetFromJsonAsync<JsonElement>("/v2/emulators", Cancelled))[1];
            var id = string.Create(CultureInfo.InvariantCulture, $"script-{secured.Port}");
            Assert.Equal((id, "refused", secured.Port), (listed.GetProperty("id").GetString(), listed.GetProperty("state").GetString(), listed.GetProperty("port").GetInt32()));
            Assert.Contains("MGBA_BRIDGE_SECRET in its environment", listed.GetProperty("detail").GetString(), StringComparison.Ordinal);
            Assert.Contains("cannot be used", await (await without.Client.GetAsync($"/i/{id}/v2/game", Cancelled)).Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
            await secured.KillAsync();
            await Eventually.Is(() => without.Emulators.Unusable.Count == 0);
        }

        await using var again = await HeadlessEmulator.StartAsync(ports.Next(), secret: Secret);
        await using var with = GatewayHost.StartWithoutPort(
            ports.Setting, ("Discover", "true"), ("Emulators:0:Nonce", plain.Nonce), ("Emulators:1:Nonce", "none"), ("Emulators:1:Secret", "another secret of 16"), ("Emulators:2:Nonce", "none"), ("Emulators:2:Secret", Secret));
        await Eventually.Is(() => IsReady(with, IdOf(again)));
    }

    [Fact]
    public async Task Look_ThatFails_IsReportedAndRepeated()
    {
        using var ports = new ScriptPorts();
        await using var emulator = await HeadlessEmulator.StartAsync(ports.Next());
        var settings = new TransportSettings(Clients.Patient with { FirstScriptPort = ports.First });
        await using var emulators = new EmulatorRegistry([], settings, TimeProvider.System, MemoryPool<byte>.Shared, NullLogger<EmulatorRegistry>.Instance);
        var looks = 0;
        using var discovery = new ScriptDiscovery(
            emulators, new ScriptProbes([], settings, emulators.OtherPrograms, TimeProvider.System), settings, () => looks++ == 0 ? throw new InvalidOperationException("no list") : LocalListeners.Read(),
            TimeProvider.System, NullLogger<ScriptDiscovery>.Instance);
        await discovery.StartAsync(Cancelled);
        await Eventually.Is(() => emulators.TryGet(IdOf(emulator), null, out _));
        Assert.True(looks > 1);
        await discovery.StopAsync(Cancelled);
    }

    [Fact]
    public async Task OtherProgram_ThatAnEmulatorHasMet_IsReportedWithoutAGreeting()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux tells one listener from another.");
        await using var other = FakeScript.Start(new FakeBehaviour { InsteadOfHello = "<|ERROR|><|END|>"u8.ToArray() });
        var settings = new TransportSettings(Clients.Patient);
        await using var emulators = new EmulatorRegistry(
            [new ConnectedEmulatorOptions { Port = other.Port }], settings, TimeProvider.System, MemoryPool<byte>.Shared, NullLogger<EmulatorRegistry>.Instance);
        await Eventually.Is(() => emulators.First.Health.State == EmulatorState.OtherProgram);
        await using var probes = new ScriptProbes([], settings, emulators.OtherPrograms, TimeProvider.System);
        await Eventually.IsAsync(async () => (await probes.LookAsync([other.Port], LocalListeners.Read(), Cancelled)).Count == 0 && probes.Unusable.Count == 1);
        Assert.Equal((other.Port, EmulatorState.OtherProgram), (probes.Unusable[0].Port, probes.Unusable[0].State));
        Assert.Equal(1, other.Accepted);
    }

    [Fact]
    public void Port_WithAnotherProgram_IsTriedLessAndLessOften()
    {
        var time = new ManualTime();
        var backOff = new PortBackOff(time);
        Assert.True(backOff.MayTry(8888, "1"));
        foreach (var seconds in new[] { 2, 4, 8, 16, 32, 60, 60 })
        {
            backOff.Failed(8888, "1");
            time.Advance(TimeSpan.FromSeconds(seconds - 0.1));
            Assert.False(backOff.MayTry(8888, "1"));
            time.Advance(TimeSpan.FromSeconds(0.1));
            Assert.True(backOff.MayTry(8888, "1"));
        }

        backOff.Failed(8888, "1");
        Assert.False(backOff.MayTry(8888, "1"));
        Assert.True(backOff.MayTry(8888, "2")); // another socket listens there
        backOff.Forget(new HashSet<int> { 8889 });
        Assert.True(backOff.MayTry(8888, "1"));
    }

    [Theory]
    [InlineData("POKEMON RED", "pokemon-red-8888")]
    [InlineData(" --", "game-8888")]
    [InlineData(null, "game-8888")]
    [InlineData("ÄB", "b-8888")]
    [InlineData("123456789012345678901234567890", "123456789012345678901234-8888")]
    public void Id_OfAnyTitle_IsValidInPaths(string? title, string id) => Assert.Equal(id, ScriptDiscovery.IdOf(title, 8888));

    private static string IdOf(HeadlessEmulator emulator) => ScriptDiscovery.IdOf("MGBABRIDGE", emulator.Port);

    private static bool IsReady(GatewayHost gateway, string id) => gateway.Emulators.TryGet(id, null, out var emulator) && emulator.Health.State == EmulatorState.Ready;

    private static async Task<string[]> ListedAsync(GatewayHost gateway) =>
        [.. (await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/emulators", Cancelled)).EnumerateArray().Select(emulator => emulator.GetProperty("id").GetString()!)];

    private static async Task<int> PortAsync(GatewayHost gateway, string path) => (await gateway.Client.GetFromJsonAsync<JsonElement>(path, Cancelled)).GetProperty("port").GetInt32();
}
