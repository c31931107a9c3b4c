using MgbaBridge.Client.Emulator;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.MgbaHttp;

/// <summary>Responses when the emulator is absent, stopped, or refuses.</summary>
public sealed class MgbaHttpFailureTests
{
    [Theory]
    [InlineData("GET /core/currentframe")]
    [InlineData("POST /mgba-http/button/tap?button=A")]
    public async Task Call_WithoutAnEmulator_Is502AndSaysWhatToLoad(string call)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var said = await MgbaHttpWorld.CallAsync(gateway.Client, call);
        Assert.Equal(Said.NoContact, said.FirstLine());
        Assert.Contains("mgba-bridge.lua", said.Body, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Call_WithoutAnEmulatorAndWithABadParameter_Is400()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        Assert.Equal(
            Said.Bad("Failed to bind parameter \"int key\" from \"x\"."),
            await MgbaHttpWorld.CallAsync(gateway.Client, "POST /core/addkey?key=x"));
    }

    [Fact]
    public async Task Call_ToAStoppedEmulator_Is504()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Transport:RequestTimeout", "00:00:01"), ("Http:DrainTimeout", "00:00:00"));
        await emulator.StopAsync();
        Assert.Equal(Said.NoResponse, (await MgbaHttpWorld.CallAsync(gateway.Client, "GET /core/currentframe")).FirstLine());
        Assert.Equal(Said.NoResponse, (await MgbaHttpWorld.CallAsync(gateway.Client, "POST /mgba-http/button/tap?button=A")).FirstLine());
    }

    [Fact]
    public async Task Call_WhileTheGamePausesForAMoment_WaitsAndIsAnswered()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        await emulator.StopAsync();
        gateway.SilenceTimeout = TimeSpan.FromMilliseconds(100);
        var read = MgbaHttpWorld.CallAsync(gateway.Client, "GET /core/platform");
        var press = MgbaHttpWorld.CallAsync(gateway.Client, "POST /core/addkey?key=3");
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Silent);
        emulator.Continue();
        Assert.Equal(Said.Ok("0"), await read);
        Assert.Equal(Said.Ok(), await press);
        Assert.Equal(Said.Ok("8"), await MgbaHttpWorld.CallAsync(gateway.Client, "GET /core/getkeys"));
    }

    [Fact]
    public async Task Effect_ThatRanBeforeTheGameStoodStill_IsNotSentAgain()
    {
        var ran = 0;
        await using var fake = FakeScript.Start();
        fake.Behaviour = new FakeBehaviour
        {
            Answer = request =>
            {
                if (request.Command == "keys.add" && Interlocked.Increment(ref ran) == 1)
                {
                    fake.Pause();
                    return null;
                }

                return FakeReply.Ok();
            },
        };
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Transport:RequestTimeout", "00:00:05"), ("Http:DrainTimeout", "00:00:00"));
        var press = MgbaHttpWorld.CallAsync(gateway.Client, "POST /core/addkey?key=3");
        await Eventually.Is(() => Volatile.Read(ref ran) == 1);
        gateway.SilenceTimeout = TimeSpan.FromMilliseconds(100);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Silent);
        fake.Resume();
        Assert.Equal(Said.NoResponse, (await press).FirstLine());
        Assert.Equal(1, ran);
    }

    [Theory]
    [InlineData("POST /core/loadstateslot?slot=9", 404)]
    [InlineData("GET /core/readregister?regName=lmao", 404)]
    [InlineData("POST /core/loadfile?path=none.gba", 404)]
    [InlineData("POST /core/loadsavefile?path=none/none.sav&temporary=false", 400)]
    public async Task Refusal_WithTheSettingThatTellsIt_HasAStatusAndAReason(string call, int status)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Compatibility:SilentRefusals", "false"));
        var said = await MgbaHttpWorld.CallAsync(gateway.Client, call);
        Assert.Equal((status, "text/plain"), (said.Status, said.Type));
        Assert.NotEmpty(said.Body);
    }
}
