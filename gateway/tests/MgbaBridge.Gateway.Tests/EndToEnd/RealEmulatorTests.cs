using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>HTTP to the shipped script in a real core and back.</summary>
public sealed class RealEmulatorTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Everything_OnARealCore_WorksEndToEnd()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Emulators:0:Nonce", emulator.Nonce));
        var status = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/status", Cancelled);
        Assert.Equal(("ready", "headless", "MGBABRIDGE"), (status.GetProperty("state").GetString(), status.GetProperty("host").GetString(), status.GetProperty("title").GetString()));

        using var put = await gateway.Client.PutAsJsonAsync("/v2/memory/0x02030000/u32", new { value = 0xDEADBEEF }, Cancelled);
        Assert.Equal(HttpStatusCode.OK, put.StatusCode);
        var low = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/memory/wram:0x30001/u16", Cancelled);
        Assert.Equal(0xADBE, low.GetProperty("value").GetInt64());

        var outside = await gateway.Client.GetAsync(new Uri("/v2/memory/0x1FFFFFFFF/u8", UriKind.Relative), Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, outside.StatusCode);
        Assert.Equal("bad-address", (await outside.Content.ReadFromJsonAsync<JsonElement>(Cancelled)).GetProperty("code").GetString());
    }

    [Fact]
    public async Task Echo_OfSixtyFourKilobytes_IsByteExact()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Emulators:0:Nonce", emulator.Nonce));
        var message = string.Concat(Enumerable.Range(0, 8_192).Select(number => (number % 3) switch { 0 => "<|END|>\n", 1 => "\"\\|\0\r\t+%", _ => "abcdefgh" }));
        Assert.Equal(65_536, message.Length);
        var answer = await gateway.Client.GetStringAsync(new Uri($"/mgbaendpoint?message={Uri.EscapeDataString(message)}", UriKind.Relative), Cancelled);
        Assert.Equal(message, answer);
    }

    [Fact]
    public async Task Transfer_OfAQuarterMegabyte_ComesBackAsItWent()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Emulators:0:Nonce", emulator.Nonce));
        var bytes = new byte[100_000];
        Random.Shared.NextBytes(bytes);
        using var content = new ByteArrayContent(bytes);
        using var put = await gateway.Client.PutAsync(new Uri("/v2/memory/wram:0x10000", UriKind.Relative), content, Cancelled);
        var wrote = await put.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.True(wrote.GetProperty("last").GetInt64() > wrote.GetProperty("first").GetInt64());
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/memory/wram:0x10000?length=100000");
        request.Headers.Accept.ParseAdd("application/octet-stream");
        var back = await gateway.Client.SendAsync(request, Cancelled);
        Assert.Equal(bytes, await back.Content.ReadAsByteArrayAsync(Cancelled));
    }

    [Fact]
    public async Task Emulator_KilledUnderLoad_CostsProblemsAndNothingElse()
    {
        var emulator = await HeadlessEmulator.StartAsync(Clients.FreePort());
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        var statuses = new List<HttpStatusCode>();
        using var enough = new CancellationTokenSource();
        var asking = Task.Run(
            async () =>
            {
                while (!enough.IsCancellationRequested)
                {
                    var answer = await gateway.Client.GetAsync(new Uri("/mgbaendpoint?message=x", UriKind.Relative), Cancelled);
                    statuses.Add(answer.StatusCode);
                }
            },
            Cancelled);
        await Eventually.Is(() => statuses.Count > 20);
        await emulator.KillAsync();
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.ScriptMissing);
        await using var again = await HeadlessEmulator.StartAsync(emulator.Port);
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.Ready);
        var before = statuses.Count;
        await Eventually.Is(() => statuses.Count > before + 20);
        await enough.CancelAsync();
        await asking;
        await emulator.DisposeAsync();
        Assert.Equal(HttpStatusCode.OK, statuses[^1]);
        Assert.All(statuses, status => Assert.Contains(status, new[] { HttpStatusCode.OK, HttpStatusCode.ServiceUnavailable, HttpStatusCode.BadGateway }));
    }
}
