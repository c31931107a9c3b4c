using System.Net.WebSockets;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebSockets;

/// <summary>What is held belongs to the connection that set it, also where others have the same holder.</summary>
public sealed class WebSocketOwnerTests
{
    private const string Bot = "/v2/ws?holder=bot";

    [Fact]
    public async Task Lease_TakenOverByItsToken_OutlivesTheOldSocket()
    {
        await using var play = await Play.StartAsync();
        using var second = await WebSocketClient.OpenAsync(play.Gateway, Bot);
        using (var first = await WebSocketClient.OpenAsync(play.Gateway, Bot))
        {
            var token = (await first.DoAsync("lease.take", """{"limitMs":10000}""")).GetProperty("token").GetString();
            await first.DoAsync("keys.add", """{"keys":["A"]}""");
            await first.DoAsync("freezes.set", """{"location":"0x02001000","type":"u8","value":7}""");
            await second.DoAsync("lease.take", $$"""{"limitMs":10000,"token":"{{token}}"}""");
            first.Socket.Abort();
        }

        await ReleasedAsync(play);
        await second.DoAsync("lease.step", """{"frames":2}""");
        Assert.Equal((1, 7), (await play.ReadAsync("0x0200000C"), await play.ReadAsync("0x02001000", "u8")));
        Assert.Equal("bot", (await play.GetAsync("/v2/keys")).GetProperty("holders")[0].GetProperty("holder").GetString());
        await second.CloseAsync();
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32() == 0);
        Assert.Equal(0, (await play.GetAsync("/v2/freezes")).GetProperty("freezes").GetArrayLength());
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "next");
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "next");
    }

    [Fact]
    public async Task Keys_OfTwoSocketsOfOneHolder_EndWithTheirOwn()
    {
        await using var play = await Play.StartAsync();
        using var second = await WebSocketClient.OpenAsync(play.Gateway, Bot);
        using (var first = await WebSocketClient.OpenAsync(play.Gateway, Bot))
        {
            await first.DoAsync("keys.add", """{"keys":["A","B"]}""");
            await second.DoAsync("keys.add", """{"keys":["B"]}""");
            await play.SendAsync(HttpMethod.Post, "/v2/keys/add", """{"keys":["Up"]}""", holder: "bot");
            await first.CloseAsync();
        }

        await ReleasedAsync(play);
        Assert.Equal("""["B","Up"]""", (await play.GetAsync("/v2/keys")).GetProperty("keys").GetRawText());
    }

    [Fact]
    public async Task Socket_OfAFrozenClient_LosesItsKeysSoon()
    {
        await using var play = await Play.StartAsync(("Http:WebSocketHoldTimeout", "00:00:04"));
        using var alive = await WebSocketClient.OpenAsync(play.Gateway);
        await alive.DoAsync("keys.set", """{"keys":["Up"]}""");
        var next = alive.NextAsync(); // who reads answers pings
        using var frozen = await WebSocketClient.OpenAsync(play.Gateway);
        await frozen.DoAsync("keys.set", """{"keys":["A"]}""");
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("keys").GetRawText() == """["Up"]""");
        var (status, why) = await frozen.ClosedAsync();
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, status);
        Assert.Contains("WebSocketHoldTimeout", why, StringComparison.Ordinal);
        await play.WaitAsync(300); // longer than the hold timeout
        Assert.Equal("""["Up"]""", (await play.GetAsync("/v2/keys")).GetProperty("keys").GetRawText());
        await alive.SendAsync("""{"id":1,"op":"ping"}""");
        Assert.True((await next).TryGetProperty("body", out _));
    }

    internal static Task ReleasedAsync(Play play) => Eventually.IsAsync(async () =>
        ScrapedPage.Parse(await play.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken)).Sum("mgba_client_operation_duration_seconds_count", "command=owner.release") > 0);
}
