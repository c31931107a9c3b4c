using System.Net.Http.Json;
using System.Text.Json;
using MgbaBridge.Client.Emulator;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>Emulators without a port in the settings are found among 16 ports. Each test has ports of its own.</summary>
public sealed class DiscoveryTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Gateway_WithoutPorts_FindsEachEmulatorByItsNonce()
    {
        using var ports = new ScriptPorts();
        await using var red = await HeadlessEmulator.StartAsync(ports.Next());
        await using var blue = await HeadlessEmulator.StartAsync(ports.Next());
        await using var gateway = GatewayHost.StartWithoutPort(
            ports.Setting, ("Emulators:0:Id", "red"), ("Emulators:0:Nonce", red.Nonce), ("Emulators:1:Id", "blue"), ("Emulators:1:Nonce", blue.Nonce));
        await Eventually.Is(() => gateway.Emulators.All.All(emulator => emulator.Health.State == EmulatorState.Ready));
        using var pressed = await gateway.Client.PostAsJsonAsync("/i/blue/v2/keys/tap", new { keys = "A", frames = 2, wait = true }, Cancelled);
        Assert.True(pressed.IsSuccessStatusCode);
        foreach (var (id, emulator, presses) in new[] { ("red", red, 0), ("blue", blue, 1) })
        {
            var status = await gateway.Client.GetFromJsonAsync<JsonElement>($"/i/{id}/v2/status", Cancelled);
            Assert.Equal(emulator.Port, status.GetProperty("port").GetInt32());
            var edges = await gateway.Client.GetFromJsonAsync<JsonElement>($"/i/{id}/v2/memory/0x02000020/u32", Cancelled);
            Assert.Equal(presses, edges.GetProperty("value").GetInt32());
        }

        // without an id the first one is meant
        var first = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/status", Cancelled);
        Assert.Equal(red.Port, first.GetProperty("port").GetInt32());
        var nobody = await gateway.Client.GetAsync(new Uri("/i/green/v2/game", UriKind.Relative), Cancelled);
        Assert.Equal("urn:mgba-bridge:problem:no-such-emulator", (await nobody.Content.ReadFromJsonAsync<JsonElement>(Cancelled)).GetProperty("type").GetString());
    }

    [Fact]
    public async Task Gateway_ToldNothing_TakesTheLowestPortThatAnswers()
    {
        using var ports = new ScriptPorts();
        await using var emulator = await HeadlessEmulator.StartAsync(ports.Next());
        await using var higher = await HeadlessEmulator.StartAsync(ports.Next());
        await using var gateway = GatewayHost.StartWithoutPort(ports.Setting);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Ready);
        Assert.Equal(emulator.Port, gateway.Emulators.First.Health.Hello!.Port);
    }

    [Fact]
    public async Task Emulator_StartedAgainOnAnotherPortOfTheRange_IsFoundAgain()
    {
        using var ports = new ScriptPorts();
        var emulator = await HeadlessEmulator.StartAsync(ports.Next());
        await using var gateway = GatewayHost.StartWithoutPort(ports.Setting, ("Emulators:0:Nonce", emulator.Nonce));
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Ready);
        await using var other = await HeadlessEmulator.StartAsync(ports.Next());
        await emulator.KillAsync();
        await Eventually.Is(() => gateway.Emulators.First.Health.State is EmulatorState.ScriptMissing or EmulatorState.OtherProgram);
        await using var again = await HeadlessEmulator.StartAsync(ports.Next(), nonce: emulator.Nonce);
        await emulator.DisposeAsync();
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Ready);
        Assert.Equal(again.Port, gateway.Emulators.First.Health.Hello!.Port);
    }

    [Fact]
    public async Task Port_OfAnotherProgram_IsReportedAndUsedOnceTheScriptIsThere()
    {
        var other = FakeScript.StartOn(Clients.FreePort(), new FakeBehaviour { InsteadOfHello = "HTTP/1.1 400 Bad Request\r\n\r\n"u8.ToArray() });
        await using var gateway = GatewayHost.Start(other.Port);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.OtherProgram);
        using var refused = await gateway.Client.GetAsync(new Uri("/v2/game", UriKind.Relative), Cancelled);
        var problem = await refused.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal("urn:mgba-bridge:problem:not-ours", problem.GetProperty("type").GetString());
        Assert.Contains("HTTP/1.1 400", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);

        await other.DisposeAsync();
        await using var emulator = await HeadlessEmulator.StartAsync(other.Port);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Ready);
    }
}
