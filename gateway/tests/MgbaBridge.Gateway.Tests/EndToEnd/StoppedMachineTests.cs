using System.Globalization;
using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>A game that stops its machine or crashes ends nothing: the status says so and what to do, and a reset by HTTP lets frames run again.</summary>
[Collection(nameof(Alone))]
public sealed class StoppedMachineTests
{
    private const long Code = 0x02010000;

    // mov r0, #0x04000000; orr r0, r0, #0x300; mov r1, #0x80; strb r1, [r0, #1]; b .
    private static readonly uint[] StoppingCode = [0xE3A00301, 0xE3800C03, 0xE3A01080, 0xE5C01001, 0xEAFFFFFE];

    [Theory]
    [InlineData(Code, "stopped")]
    [InlineData(0x01000000, "crashed")]
    public async Task Game_ThatStandsStill_IsToldInTheStatusAndGoesOnAfterAReset(long programCounter, string state)
    {
        await using var play = await Play.StartAsync();
        for (var i = 0; i < StoppingCode.Length; i++)
        {
            await play.SendAsync(HttpMethod.Put, $"/v2/memory/0x{Code + (i * 4):X8}/u32", $$"""{"value":{{StoppingCode[i]}}}""");
        }

        using var jump = await play.RawAsync(HttpMethod.Put, "/v2/registers/pc", Json($$"""{"value":{{programCounter}}}"""));
        await Eventually.IsAsync(async () => await StateAsync(play) == state);

        var status = await play.AskGatewayAsync(HttpMethod.Get, "/v2/status");
        Assert.Contains("/v2/reset", status.GetProperty("detail").GetString(), StringComparison.Ordinal);
        using var ready = await play.RawAsync(HttpMethod.Get, "/readyz");
        Assert.Equal(HttpStatusCode.ServiceUnavailable, ready.StatusCode);
        Assert.Equal(StoppingCode[0], await play.ReadAsync($"0x{Code:X8}"));
        var frame = (await play.GetAsync($"/v2/memory/0x{Code:X8}/u8")).GetProperty("frame").GetInt64();
        var saved = await play.Client.GetByteArrayAsync("/v2/state", TestContext.Current.CancellationToken);
        Assert.NotEmpty(saved);
        Assert.Equal(frame, (await play.GetAsync($"/v2/memory/0x{Code:X8}/u8")).GetProperty("frame").GetInt64());

        await play.SendAsync(HttpMethod.Post, "/v2/reset");
        await play.WaitAsync(2);
        await Eventually.IsAsync(async () => await StateAsync(play) == "ready");
        using var again = await play.RawAsync(HttpMethod.Get, "/readyz");
        Assert.Equal(HttpStatusCode.OK, again.StatusCode);
    }

    [Theory]
    [InlineData("0x04000301/u8", 128)]
    [InlineData("0x04000301/u16", 128)]
    [InlineData("0x040002FE/u32", -1)]
    public async Task Write_ThatWouldStopTheMachine_IsRefused(string where, long value)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(
            HttpMethod.Put, $"/v2/memory/{where}", string.Create(CultureInfo.InvariantCulture, $$"""{"value":{{value}}}"""), status: HttpStatusCode.BadRequest);
        Assert.Contains("HALTCNT", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.WaitAsync(2);
    }

    private static async Task<string?> StateAsync(Play play) => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetProperty("state").GetString();

    private static StringContent Json(string text) => new(text, System.Text.Encoding.UTF8, "application/json");
}
