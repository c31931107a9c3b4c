using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>The gateway's own pause (SIGSTOP, a frozen container, a laptop's sleep) is not the script's silence.</summary>
public sealed class GatewayPauseTests
{
    private const string PressesOfA = "/v2/memory/0x02000020/u32";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(12)]
    [InlineData(30)]
    [InlineData(60)]
    [InlineData(210)] // longer than Transport:RequestTimeout, 3 s
    public async Task Gateway_ThatWasStopped_KeepsItsWaitsAndPresses(int frames)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var witness = await GatewayHost.ReadyAsync(emulator.Port);
        await using var gateway = await GatewayProcess.ReadyAsync(emulator.Port, "--http-port=0", "--Bridge:Transport:SilenceTimeout=00:00:01", "--Bridge:Transport:RequestTimeout=00:00:03");
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{await gateway.ListensAsync()}") };
        await SendAsync(witness.Client, HttpMethod.Put, "/v2/memory/0x0203FF00/u32", """{"value":0}""");
        var wait = SendAsync(client, HttpMethod.Post, "/v2/wait", """{"condition":"u32 0x0203FF00 eq 5"}""");
        var press = SendAsync(client, HttpMethod.Post, "/v2/keys/tap", $$"""{"keys":["A"],"frames":{{frames}},"wait":true}""");
        // counted by the game: on a busy machine a short press can be over before a request sees it
        await Eventually.IsAsync(async () => (await SendAsync(witness.Client, HttpMethod.Get, PressesOfA, null)).GetProperty("value").GetInt64() > 0);

        await gateway.StopAsync();
        var stopped = await FrameAsync(witness.Client);
        await Eventually.IsAsync(async () => await FrameAsync(witness.Client) >= stopped + frames + 60);
        gateway.Signal("-CONT");

        await press;
        await SendAsync(witness.Client, HttpMethod.Put, "/v2/memory/0x0203FF00/u32", """{"value":5}""");
        Assert.True((await wait).GetProperty("met").GetBoolean());
    }

    private static async Task<long> FrameAsync(HttpClient client) => (await SendAsync(client, HttpMethod.Get, "/v2/memory/0x0203FF00/u32", null)).GetProperty("frame").GetInt64();

    private static async Task<JsonElement> SendAsync(HttpClient client, HttpMethod method, string path, string? json)
    {
        using var request = new HttpRequestMessage(method, path) { Content = json is null ? null : new StringContent(json, null, "application/json") };
        using var response = await client.SendAsync(request, Cancelled);
        var text = await response.Content.ReadAsStringAsync(Cancelled);
        Assert.True(response.StatusCode == HttpStatusCode.OK, $"{method} {path}: {response.StatusCode} {text}");
        return JsonDocument.Parse(text).RootElement;
    }
}
