using System.Globalization;
using System.Net;
using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Memory;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>A game that stops its machine or crashes ends nothing: the status says so and what to do, and a reset by HTTP lets frames run again.</summary>
public sealed class StoppedMachineTests
{
    private const long Code = 0x02010000;

    [Theory]
    [InlineData(0xEF030000, 0xEAFFFFFE, "stopped")] // swi 3 (Stop); b .
    [InlineData(0xE3A00401, 0xE12FFF10, "crashed")] // mov r0, #0x01000000; bx r0
    public async Task Game_ThatStandsStill_IsToldInTheStatusAndGoesOnAfterAReset(uint first, uint second, string state)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/0x{Code:X8}/u32", $$"""{"value":{{first}}}""");
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/0x{Code + 4:X8}/u32", $$"""{"value":{{second}}}""");
        using var jump = await play.RawAsync(HttpMethod.Put, "/v2/registers/pc", Json($$"""{"value":{{Code}}}"""));
        await Eventually.IsAsync(async () => await StateAsync(play) == state);

        var status = await play.AskGatewayAsync(HttpMethod.Get, "/v2/status");
        Assert.Contains("Reset the game", status.GetProperty("detail").GetString(), StringComparison.Ordinal);
        using var ready = await play.RawAsync(HttpMethod.Get, "/readyz");
        Assert.Equal(HttpStatusCode.ServiceUnavailable, ready.StatusCode);
        Assert.Equal(first, await play.ReadAsync($"0x{Code:X8}"));
        foreach (var (method, path, body) in new[]
        {
            (HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"]}"""), (HttpMethod.Put, "/v2/keys", """{"keys":["A"]}"""),
            (HttpMethod.Put, "/v2/memory/0x02001000/u8", """{"value":1}"""), (HttpMethod.Put, "/v2/registers/r0", """{"value":1}"""),
        })
        {
            var refused = await play.SendAsync(method, path, body, status: HttpStatusCode.Conflict);
            Assert.Equal("not-running", refused.GetProperty("code").GetString());
        }

        // clients of other emulators get reads and gaps, but no write is said to be done
        var memory = new FrameMemory(
            new Invocation(play.Gateway.Emulators.First, default, play.Gateway.Services, TestContext.Current.CancellationToken) { Caller = new Caller(Role.Owner) });
        var part = new MemoryPart(Location.Bus(Code), 4);
        var read = new MemoryRequest(MemoryAction.Read, [part, new MemoryPart(Location.Bus(0x01000000), 1)], new byte[5]);
        Assert.Null((await memory.RunAsync([read])).Failure);
        Assert.Equal(first, BitConverter.ToUInt32(read.Data));
        Assert.Equal(ErrorCode.NotRunning, (await memory.RunAsync([read, new MemoryRequest(MemoryAction.Write, [part], new byte[4])])).Failure?.Code);

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
    [InlineData(0xFFFFFFF0)]
    [InlineData(0x01000000)]
    public async Task ProgramCounter_WhereNoCodeCanRun_IsRefused(long address)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Put, "/v2/registers/pc", $$"""{"value":{{address}}}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("pc cannot be", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.WaitAsync(2);
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
