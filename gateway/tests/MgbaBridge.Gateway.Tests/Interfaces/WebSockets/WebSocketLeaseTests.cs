using System.Net;
using System.Security.Cryptography;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebSockets;

public sealed class WebSocketLeaseTests
{
    private const int Steps = 500;
    private const string Reads = """[{"read":{"location":"0x02000008","type":"u32"}},{"read":{"location":"0x0200000C","type":"u32"}}]""";
    private const string Memory = """{"frames":0,"items":[{"read":{"location":"wram:0x0","length":262144}},{"read":{"location":"iwram:0x0","length":32768}}]}""";

    [Fact]
    public async Task Steps_FromAStateWithTheSameInputs_GiveTheSameMemory()
    {
        await using var play = await Play.StartAsync();
        using var first = await WebSocketClient.OpenAsync(play.Gateway);
        await first.DoAsync("lease.take", """{"limitMs":10000}""");
        var state = (await first.DoAsync("state.get")).GetProperty("bytes").GetString()!;
        var hash = await RunAsync(first, state);
        Assert.Equal(hash, await RunAsync(first, state));
        await first.CloseAsync();

        // the lease went with its socket: another one takes it at once, and the game is still the same
        using var second = await WebSocketClient.OpenAsync(play.Gateway);
        await second.DoAsync("lease.take", """{"limitMs":10000}""");
        Assert.Equal(hash, await RunAsync(second, state));
    }

    [Fact]
    public async Task Steps_SentAllAtOnce_RunOneAfterTheOther()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var frame = (await socket.DoAsync("lease.take", """{"limitMs":10000}""")).GetProperty("frame").GetInt64();
        for (var step = 0; step < 100; step++)
        {
            await socket.SendAsync($$$"""{"id":{{{step}}},"op":"lease.step","body":{"frames":1,"keys":["Right"],"items":{{{Reads}}}}}""");
        }

        for (var answered = 0; answered < 100; answered++)
        {
            var answer = await socket.NextAsync(); // perhaps not in the order of the steps
            var step = answer.GetProperty("id").GetInt32();
            Assert.Equal(frame + step + 1, answer.GetProperty("body").GetProperty("frame").GetInt64());
            Assert.Equal(16, answer.GetProperty("body").GetProperty("results")[1].GetProperty("value").GetInt64());
        }
    }

    [Fact]
    public async Task Steps_WithOtherItemsInBetween_AnswerWhatWasAskedForEachTime()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("lease.take", """{"limitMs":10000}""");
        for (var round = 0; round < 3; round++)
        {
            var known = await socket.DoAsync("lease.step", $$$"""{"frames":1,"items":{{{Reads}}}}""");
            Assert.Equal(2, known.GetProperty("of").GetInt32());
            var other = await socket.DoAsync("lease.step", """{"items":[{"read":{"location":"0x02000000","type":"u8"}}],"frames":0}""");
            Assert.Equal(77, other.GetProperty("results")[0].GetProperty("value").GetInt32());
            Assert.Equal(0, (await socket.DoAsync("lease.step", """{"frames":1}""")).GetProperty("of").GetInt32());
        }

        foreach (var (body, expected) in new[] { ("""{"frames":-1}""", "frames is -1; expected an integer from 0 to 36000"), ("""{"frames":1,"from":-1}""", "from is -1; expected an integer of at least 0") })
        {
            var refused = (await socket.RequestAsync("lease.step", body)).GetProperty("problem");
            Assert.Contains(expected, refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Lease_OfASocket_KeepsOthersOutUntilItCloses()
    {
        await using var play = await Play.StartAsync();
        using var other = await WebSocketClient.OpenAsync(play.Gateway);
        using (var socket = await WebSocketClient.OpenAsync(play.Gateway, "/v2/ws?holder=agent"))
        {
            await socket.DoAsync("lease.take", """{"limitMs":10000}""");
            var refused = (await other.RequestAsync("lease.step", """{"frames":1}""")).GetProperty("problem");
            Assert.Equal(423, refused.GetProperty("status").GetInt32());
            Assert.Contains("agent has the lockstep lease", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
            await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u8", """{"value":1}""", status: HttpStatusCode.Locked);
            Assert.Equal(1, (await socket.DoAsync("lease.step", """{"frames":1}""")).GetProperty("frame").GetInt64() - (await other.DoAsync("ping")).GetProperty("frame").GetInt64() + 1);
            await socket.SendAsync("""{"id":"long","op":"lease.step","body":{"frames":36000}}""");
            await socket.CloseAsync();
        }

        // ten minutes of frames were asked for; they are taken back with the rest
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
        await WebSocketOwnerTests.ReleasedAsync(play);
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "next");
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "next");
    }

    private static async Task<string> RunAsync(WebSocketClient socket, string state)
    {
        await socket.DoAsync("state.load", $$"""{"bytes":"{{state}}"}""");
        var random = new Random(4711);
        var seen = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        for (var step = 0; step < Steps; step++)
        {
            var keys = string.Join('+', new[] { "A", "B", "Right", "Up", "R" }.Where(_ => random.Next(2) == 0));
            var answer = await socket.DoAsync("lease.step", $$$"""{"frames":1,"keys":"{{{keys}}}","items":{{{Reads}}}}""");
            seen.AppendData(JsonSerializer.SerializeToUtf8Bytes(answer.GetProperty("results")));
        }

        await socket.RequestAsync("lease.step", Memory, binary: true);
        seen.AppendData(await socket.BytesAsync());
        return Convert.ToHexString(seen.GetHashAndReset());
    }
}
