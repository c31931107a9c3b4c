using System.Net.Sockets;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Doors;
using MgbaBridge.Gateway.Tests.Interfaces.RetroArch;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Interfaces.Doors;

public sealed class DoorServerTests
{
    [Fact]
    public async Task Emulator_ThatIsAdded_IsServedOnThePortAfterTheFirst()
    {
        var settings = RetroArchClient.Settings();
        await using var first = await HeadlessEmulator.StartAsync();
        await using var second = await HeadlessEmulator.StartAsync(game: "mgba-bridge-test.gb");
        await using var gateway = await GatewayHost.ReadyAsync(first.Port, [.. settings, ("Emulators:1:Port", $"{second.Port}")]);
        using var gba = await RetroArchClient.ConnectAsync(settings);
        using var gb = await RetroArchClient.ConnectAsync(settings, index: 1);

        Assert.StartsWith("GET_STATUS PLAYING game_boy_advance,", await gba.SendAsync("GET_STATUS"));
        Assert.StartsWith("GET_STATUS PLAYING game_boy,", await gb.SendAsync("GET_STATUS"));
    }

    [Fact]
    public async Task Emulator_WhoseServerFails_IsServedAgain()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var server = new FailingServer(gateway.Emulators);
        await server.StartAsync(TestContext.Current.CancellationToken);
        await Eventually.Is(() => server.Served == 2);
        await server.StopAsync(TestContext.Current.CancellationToken);
        Assert.True(server.ExecuteTask!.IsCompletedSuccessfully);
    }

    private sealed class FailingServer(EmulatorRegistry emulators) : DoorServer("test", emulators, TimeProvider.System, NullLogger.Instance)
    {
        public int Served { get; private set; }

        protected override Task ServeAsync(EmulatorClient emulator, CancellationToken cancelled) =>
            ++Served == 1 ? throw new SocketException() : Task.Delay(Timeout.Infinite, cancelled);
    }

    [Fact]
    public async Task Message_OfAClient_IsAnEvent()
    {
        var settings = RetroArchClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await RetroArchClient.ConnectAsync(settings);
        using var stream = await play.Client.GetStreamAsync("/v2/events?topics=emulator", TestContext.Current.CancellationToken);
        using var reader = new StreamReader(stream);

        await Eventually.IsAsync(async () =>
        {
            client.Send("SHOW_MSG hello");
            return await reader.ReadLineAsync(TestContext.Current.CancellationToken) is { } line && line.Contains("hello", StringComparison.Ordinal);
        });
    }
}
