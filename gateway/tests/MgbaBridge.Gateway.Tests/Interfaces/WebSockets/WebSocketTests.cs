using System.Net;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.WebSockets;

public sealed class WebSocketTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const int Machine = 397_312;

    [Fact]
    public async Task Operations_OfEveryKind_AnswerAsTheirPathsDo()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        Assert.Equal("MGBABRIDGE", (await socket.DoAsync("game.get")).GetProperty("title").GetString());
        Assert.True((await socket.DoAsync("ping")).GetProperty("frame").GetInt64() > 0);
        await socket.DoAsync("memory.write", """{"location":"0x02001000","type":"s16","value":-5}""");
        await socket.DoAsync("memory.write", """{"location":"wram:0x1010","bytes":"PHxFTkR8Pg=="}""");
        var reads = (await socket.DoAsync("memory.gather", """{"reads":[{"location":"0x02001000","type":"s16"},{"location":"0x02001010","length":7}]}""")).GetProperty("reads");
        Assert.Equal((-5, "<|END|>"), (reads[0].GetProperty("value").GetInt64(), Encoding.ASCII.GetString(reads[1].GetProperty("bytes").GetBytesFromBase64())));
        var press = await socket.DoAsync("keys.tap", """{"keys":["A"],"frames":3,"wait":true}""");
        Assert.Equal(3, press.GetProperty("up").GetInt64() - press.GetProperty("down").GetInt64());
        await socket.DoAsync("keys.sequence", """{"sequence":"B 1, wait 2, B 1","wait":true}""");
        await socket.DoAsync("wait.until", """{"frames":2}""");
        Assert.Equal((1, 2), (await play.EdgesAsync(0), await play.EdgesAsync(1)));
        await socket.DoAsync("keys.set", """{"keys":["Up"]}""");
        await socket.DoAsync("keys.add", """{"keys":"L"}""");
        await socket.DoAsync("keys.clear", """{"keys":["Up"]}""");
        await socket.DoAsync("wait.until", """{"frames":2}""");
        Assert.Equal("""["L"]""", (await socket.DoAsync("keys.get")).GetProperty("keys").GetRawText());
        await socket.DoAsync("keys.release");
        var batch = await socket.DoAsync("batch.run", """{"items":[{"guard":{"location":"0x02000000","type":"u8","value":77}},{"read":{"location":"0x02001000","type":"s16"}},{"register":"r99"}]}""");
        Assert.Equal((2, 3, "not-found"), (batch.GetProperty("done").GetInt32(), batch.GetProperty("of").GetInt32(), batch.GetProperty("results")[2].GetProperty("code").GetString()));
        await socket.DoAsync("game.reset");
        await socket.CloseAsync();
    }

    [Fact]
    public async Task Message_WithAByteOrderMark_IsRead()
    {
        var play = await shared.PlayAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync("\uFEFF{\"id\":7,\"op\":\"game.get\"}");
        Assert.True((await socket.AnswerAsync(7)).TryGetProperty("body", out _));
        await socket.CloseAsync();
    }

    [Fact]
    public async Task NextStep_NamesAnOperationOfTheSocket()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var problem = (await socket.RequestAsync("states.load", """{"name":"nothing"}""")).GetProperty("problem");
        Assert.Equal(("There is no state nothing. states.list lists them.", "states.list"), (problem.GetProperty("detail").GetString(), problem.GetProperty("next").GetString()));
    }

    [Fact]
    public async Task Bytes_AsBase64AndAsBinaryMessages_AreTheSame()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("lease.take", """{"limitMs":10000}""");
        var state = (await socket.DoAsync("state.get")).GetProperty("bytes").GetBytesFromBase64();
        var header = await socket.RequestAsync("state.get", binary: true);
        Assert.Equal(state.Length, header.GetProperty("binary").GetInt32());
        // behind the machine's own bytes it says when it was made
        Assert.Equal(state[..Machine], (await socket.BytesAsync())[..Machine]);
        await socket.RequestAsync("screen.get", binary: true);
        Assert.Equal("\x89PNG"u8[^3..].ToArray(), (await socket.BytesAsync())[1..4]);
        await socket.DoAsync("memory.gather", """{"reads":[{"location":"0x02000000","length":4}]}""", binary: true);
        // DoAsync took the header; the bytes are next
        Assert.Equal("MBT1"u8.ToArray(), await socket.BytesAsync());
        var batch = (await socket.RequestAsync("lease.step", """{"frames":0,"items":[{"read":{"location":"0x02000000","length":4}},{"read":{"location":"0x02000000","type":"u8"}},{"read":{"location":"0x020000A0","length":5}}]}""", binary: true)).GetProperty("body").GetProperty("results");
        Assert.Equal((4, 77, 5), (batch[0].GetProperty("size").GetInt32(), batch[1].GetProperty("value").GetInt32(), batch[2].GetProperty("size").GetInt32()));
        Assert.Equal("MBT1HELLO"u8.ToArray(), await socket.BytesAsync());

        await socket.SendAsync("""{"id":"up","op":"memory.write","body":{"location":"0x02001000"},"binary":true}""");
        await socket.SendAsync([1, 2, 3, 4]);
        Assert.Equal("up", (await socket.NextAsync()).GetProperty("id").GetString());
        Assert.Equal(0x04030201, await play.ReadAsync(Play.Scratch));
        await socket.SendAsync("""{"id":99,"op":"state.load","binary":true}""");
        await socket.SendAsync(state);
        Assert.True((await socket.AnswerAsync(99)).TryGetProperty("body", out _));
        Assert.Equal(0, await play.ReadAsync(Play.Scratch));
    }

    [Theory]
    [InlineData("hello", null, "'h' is an invalid start")]
    [InlineData("[1]", null, "A message is a JSON object")]
    [InlineData("{}", null, "has an id")]
    [InlineData("""{"op":"ping"}""", null, "has an id")]
    [InlineData("""{"id":1.5,"op":"ping"}""", null, "has an id, an integer")]
    [InlineData("""{"id":"\ud800","op":"ping"}""", null, "has an id, an integer or a Unicode text")]
    [InlineData("""{"\udfff":1,"id":5,"op":"ping"}""", null, "A message is")]
    [InlineData("""{"id":5,"op":"cancel","body":{"id":"\ud800"}}""", "5", "which request")]
    [InlineData("""{"id":5,"op":"lease.step","body":{"frames":1,"keys":["\ud800"]}}""", "5", "not JSON")]
    [InlineData("""{"id":5}""", "5", "A message is")]
    [InlineData("""{"id":5,"op":"jump"}""", "5", "op has to be a name that GET /v2/operations lists, or one of cancel")]
    [InlineData("""{"id":"x","op":"ping","speed":1}""", "\"x\"", "no fields but id, op, body and binary")]
    [InlineData("""{"id":5,"op":"ping","body":3}""", "5", "A message is")]
    [InlineData("""{"id":5,"op":"keys.set","body":{"keys":["Z"]}}""", "5", "is not a key")]
    [InlineData("""{"id":5,"op":"keys.set"}""", "5", "keys is missing")]
    [InlineData("""{"id":5,"op":"lease.step","body":{"frames":1,"items":[{}]}}""", "5", "items[0]: expected exactly one of")]
    [InlineData("""{"id":5,"op":"lease.step","body":{"frames":"x"}}""", "5", "frames is \"x\"; expected an integer from 0 to 36000")]
    [InlineData("""{"id":5,"op":"lease.step","body":{"frames":1}}""", "5", "take it first")]
    [InlineData("""{"id":5,"op":"memory.gather","body":{"reads":[]}}""", "5", "1 to 1024")]
    [InlineData("""{"id":5,"op":"memory.write","body":{"location":"0x0"}}""", "5", "A write has")]
    [InlineData("""{"id":5,"op":"state.load"}""", "5", "send its bytes, or name a slot or a file")]
    [InlineData("""{"id":5,"op":"state.load","body":{"bytes":"AAAA"}}""", "5", "no save state of this console")]
    [InlineData("""{"id":5,"op":"subscribe","body":{"topics":["weather"]}}""", "5", "A topic is")]
    [InlineData("""{"id":5,"op":"subscribe","body":{"topics":["frame/0"]}}""", "5", "from 1 to 36000")]
    [InlineData("""{"id":5,"op":"cancel","body":{}}""", "5", "which request")]
    [InlineData("""{"id":5,"op":"cancel","body":{"\ud800":1}}""", "5", "which request")]
    [InlineData("""{"id":5,"op":"emulators.log"}""", "5", "id is missing")]
    [InlineData("""{"id":5,"op":"emulators.restart","body":{}}""", "5", "id is missing")]
    [InlineData("""{"id":5,"op":"agents.change","body":{"agent":"x"}}""", "5", "paused is missing; expected true or false")]
    public async Task Message_ThatCannotBe_IsAnsweredAndTheSocketStaysOpen(string message, string? id, string expected)
    {
        var play = await shared.PlayAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync(message);
        var answer = await socket.NextAsync();
        Assert.Equal(id ?? "null", answer.GetProperty("id").GetRawText());
        var problem = answer.GetProperty("problem");
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.InRange(problem.GetProperty("status").GetInt32(), 400, 422);
        await socket.DoAsync("ping");
    }

    [Fact]
    public async Task Binary_WhereNoneBelongs_IsAnswered()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync([1, 2, 3]);
        Assert.Contains("may only follow a request", (await socket.NextAsync()).GetProperty("problem").GetProperty("detail").GetString(), StringComparison.Ordinal);
        await socket.SendAsync("""{"id":1,"op":"state.load","binary":true}""");
        await socket.SendAsync("""{"id":2,"op":"ping"}""");
        Assert.Contains("The bytes are missing", (await socket.NextAsync()).GetProperty("problem").GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.True((await socket.AnswerAsync(2)).TryGetProperty("body", out _));
    }

    [Fact]
    public async Task Message_ThatIsTooLong_ClosesTheSocketWithTheReason()
    {
        await using var play = await Play.StartAsync(("Http:MaxBody", "65536"));
        using var other = await WebSocketClient.OpenAsync(play.Gateway);
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync(new string(' ', 200_000));
        Assert.Equal((WebSocketCloseStatus.MessageTooBig, "a message has at most 65536 bytes"), await socket.ClosedAsync());
        await other.DoAsync("ping");
    }

    [Fact]
    public async Task Text_ThatIsNoUtf8_EndsOnlyThatSocket()
    {
        await using var play = await Play.StartAsync();
        using var other = await WebSocketClient.OpenAsync(play.Gateway);
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.Socket.SendAsync(new byte[] { 0xFF, 0xFE }, WebSocketMessageType.Text, true, TestContext.Current.CancellationToken);
        Assert.Equal(WebSocketCloseStatus.InvalidPayloadData, (await socket.ClosedAsync()).Status);
        await other.DoAsync("ping");
    }

    [Theory]
    [InlineData("Origin", "https://evil.example", 403)]
    [InlineData("Origin", "null", 403)]
    [InlineData("Host", "evil.example", 403)]
    [InlineData("Mgba-Holder", "not a name", 400)]
    public async Task Handshake_WithAForeignOriginOrAnInvalidHeader_IsRefused(string header, string value, int status)
    {
        await using var play = await Play.StartAsync();
        using var socket = new ClientWebSocket();
        socket.Options.SetRequestHeader(header, value);
        socket.Options.CollectHttpResponseDetails = true;
        var address = new UriBuilder(new Uri(play.Client.BaseAddress!, "/v2/ws")) { Scheme = "ws" }.Uri;
        await Assert.ThrowsAsync<WebSocketException>(() => socket.ConnectAsync(address, TestContext.Current.CancellationToken));
        Assert.Equal(status, (int)socket.HttpStatusCode);
    }

    [Fact]
    public async Task Path_AskedWithoutAHandshakeOrForNobody_IsAProblem()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Get, "/v2/ws", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Get, "/i/9/v2/ws", status: HttpStatusCode.NotFound);
        using var same = await WebSocketClient.OpenAsync(play.Gateway, "/i/1/v2/ws?holder=bot-1", ("Origin", play.Client.BaseAddress!.GetLeftPart(UriPartial.Authority)));
        Assert.Equal("bot-1", same.Hello.GetProperty("holder").GetString());
    }

    [Fact]
    public async Task Requests_SideBySide_AreAnsweredAsTheyFinish()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync("""{"id":"late","op":"wait.until","body":{"frames":60}}""");
        for (var id = 0; id < 300; id++)
        {
            await socket.SendAsync($$$"""{"id":{{{id}}},"op":"memory.gather","body":{"reads":[{"location":"0x02000000","type":"u8"}]}}""");
        }

        var answered = new HashSet<string>();
        while (answered.Count < 301)
        {
            var answer = await socket.NextAsync();
            Assert.True(answer.TryGetProperty("body", out _), answer.GetRawText());
            Assert.True(answered.Add(answer.GetProperty("id").GetRawText()));
        }
    }

    [Fact]
    public async Task Waits_BeyondTheLimit_AreRefusedAndCanBeTakenBack()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        for (var id = 0; id < 65; id++)
        {
            await socket.SendAsync($$$"""{"id":{{{id}}},"op":"wait.until","body":{"condition":"u8 0x02000000 eq 1"}}""");
        }

        var refused = (await socket.AnswerAsync(64)).GetProperty("problem");
        Assert.Equal(503, refused.GetProperty("status").GetInt32());
        await socket.SendAsync("""{"id":"again","op":"cancel","body":{"id":3}}""");
        var (cancelled, taken) = (await socket.NextAsync(), await socket.NextAsync());
        (cancelled, taken) = cancelled.TryGetProperty("problem", out _) ? (taken, cancelled) : (cancelled, taken);
        Assert.True(cancelled.GetProperty("body").GetProperty("cancelled").GetBoolean());
        Assert.Equal(("3", "cancelled"), (taken.GetProperty("id").GetRawText(), taken.GetProperty("problem").GetProperty("code").GetString()));
        await socket.SendAsync("""{"id":4,"op":"wait.until","body":{"frames":1}}""");
        Assert.Contains("its own", (await socket.AnswerAsync(4)).GetProperty("problem").GetProperty("detail").GetString(), StringComparison.Ordinal);
        await socket.CloseAsync();
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    [Fact]
    public async Task Socket_ThatBreaks_LeavesNothingBehind()
    {
        await using var play = await Play.StartAsync();
        using (var socket = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await socket.DoAsync("keys.set", """{"keys":["A","Up"]}""");
            await socket.DoAsync("subscribe", """{"topics":["frame"]}""");
            await socket.DoAsync("lease.take", """{"limitMs":10000}""");
            await socket.SendAsync("""{"id":"w","op":"wait.until","body":{"condition":"u8 0x02000000 eq 1"}}""");
            socket.Socket.Abort();
        }

        // the lease would last ten seconds more, the keys for good
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
        var keys = default(JsonElement);
        for (var mask = -1; mask != 0; mask = keys.GetProperty("mask").GetInt32())
        {
            keys = await play.GetAsync("/v2/keys");
        }

        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u8", """{"value":1}""");
    }
}
