using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Debug;

public sealed class DebugOperationsTests
{
    private const string Watched = $$"""{"kind":"change","location":"{{Play.FrameCounter}}","length":4}""";

    [Fact]
    public async Task Watchpoint_HaltsTheGameBehindEachWrite_UntilItIsRemoved()
    {
        await using var play = await Play.StartAsync();
        var point = (await play.SendAsync(HttpMethod.Post, "/v2/debug/points", Watched)).GetProperty("point").GetInt64();
        var first = await HaltedAsync(play, 0);
        var second = await ContinueAsync(play, first);
        var (one, two) = (first.GetProperty("hit"), second.GetProperty("hit"));
        Assert.Equal(("change", Play.FrameCounter, 4, point), (one.GetProperty("kind").GetString(), one.GetProperty("address").GetString(), one.GetProperty("size").GetInt32(), one.GetProperty("point").GetInt64()));
        Assert.Equal(one.GetProperty("before").GetInt64() + 1, one.GetProperty("value").GetInt64());
        Assert.Equal(one.GetProperty("value").GetInt64(), two.GetProperty("before").GetInt64());
        Assert.Equal(one.GetProperty("pc").GetString(), two.GetProperty("pc").GetString());
        Assert.Equal(two.GetProperty("value").GetInt64(), await play.ReadAsync(Play.FrameCounter));
        Assert.Contains("\"state\":\"halted\"", (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetRawText(), StringComparison.Ordinal);

        var listed = Assert.Single((await play.GetAsync("/v2/debug/points")).GetProperty("points").EnumerateArray());
        Assert.Equal(("change", Play.FrameCounter, "0x0200000B", true), (listed.GetProperty("kind").GetString(), listed.GetProperty("first").GetString(), listed.GetProperty("last").GetString(), listed.GetProperty("halts").GetBoolean()));
        Assert.Equal(1, (await play.SendAsync(HttpMethod.Delete, $"/v2/debug/points/{point}")).GetProperty("removed").GetInt64());
        await play.SendAsync(HttpMethod.Post, "/v2/debug/continue");
        await play.WaitAsync(3);
        Assert.False((await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
    }

    [Fact]
    public async Task Steps_ExecuteInstructions()
    {
        await using var play = await Play.StartAsync();
        Assert.Contains("debug.halt", (await play.SendAsync(HttpMethod.Post, "/v2/debug/step", status: HttpStatusCode.BadRequest)).GetProperty("detail").GetString(), StringComparison.Ordinal);
        var place = await play.SendAsync(HttpMethod.Post, "/v2/debug/halt");
        Assert.Equal("requested", place.GetProperty("reason").GetString());
        for (var step = 0; step < 5; step++)
        {
            var next = await play.SendAsync(HttpMethod.Post, "/v2/debug/step", """{"kind":"into"}""");
            Assert.Equal(("step", place.GetProperty("halt").GetInt64() + 1), (next.GetProperty("reason").GetString(), next.GetProperty("halt").GetInt64()));
            Assert.NotEqual(place.GetProperty("pc").GetString(), next.GetProperty("pc").GetString());
            place = next;
        }

        var pc = place.GetProperty("pc").GetString();
        await play.SendAsync(HttpMethod.Post, "/v2/debug/step", """{"kind":"over"}""");
        var reached = await play.SendAsync(HttpMethod.Post, "/v2/debug/step", $$"""{"kind":"to","location":"{{pc}}"}""");
        Assert.Equal(("step", pc), (reached.GetProperty("reason").GetString(), reached.GetProperty("pc").GetString()));
        var never = await play.SendAsync(HttpMethod.Post, "/v2/debug/step", """{"kind":"to","location":"0x08FFFFF0","frames":3}""");
        Assert.Equal("requested", never.GetProperty("reason").GetString());
    }

    [Fact]
    public async Task Points_OfASocket_EndWithIt()
    {
        await using var play = await Play.StartAsync();
        using (var socket = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await socket.DoAsync("debug.add", Watched);
            await HaltedAsync(play, 0);
        }

        await Eventually.IsAsync(async () => !(await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
        Assert.Empty((await play.GetAsync("/v2/debug/points")).GetProperty("points").EnumerateArray());
        await play.WaitAsync(3);
    }

    [Fact]
    public async Task Condition_MayNameRegistersAndPlaces()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/debug/points", $$"""{"kind":"change","location":"{{Play.FrameCounter}}","length":4,"condition":"{{Play.FrameCounter}} u32 & 15 and pc != 0"}""");
        var value = (await HaltedAsync(play, 0)).GetProperty("hit").GetProperty("value").GetInt64();
        Assert.Equal(15, value & 15);
        var listed = Assert.Single((await play.GetAsync("/v2/debug/points")).GetProperty("points").EnumerateArray());
        Assert.Equal($"{Play.FrameCounter} u32 & 15 and pc != 0", listed.GetProperty("condition").GetString());
    }

    [Theory]
    [InlineData("""{"kind":"change"}""", HttpStatusCode.BadRequest, "location is missing")]
    [InlineData("""{"kind":"jump","location":"0x08000000"}""", HttpStatusCode.BadRequest, "kind is")]
    [InlineData("""{"location":"no_such_function"}""", HttpStatusCode.NotFound, "no_such_function")]
    [InlineData("""{"location":"0x08000000","condition":"r99 == 1"}""", HttpStatusCode.BadRequest, "r99")]
    [InlineData("""{"location":"0x08000000","condition":"a == 1"}""", HttpStatusCode.NotFound, "not a register of this console")]
    [InlineData("""{"location":"0x08000000","length":0}""", HttpStatusCode.BadRequest, "length is 0")]
    [InlineData("""{"location":"wram:0x7FFFFFFF"}""", HttpStatusCode.BadRequest, "beyond the memory")]
    public async Task Points_ThatCannotBe_AreRefused(string body, HttpStatusCode status, string reason)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/debug/points", body, status: status);
        Assert.Contains(reason, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Empty((await play.GetAsync("/v2/debug/points")).GetProperty("points").EnumerateArray());
    }

    [Fact]
    public async Task Remove_OfNoPoint_IsNotFound()
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Delete, "/v2/debug/points/77", status: HttpStatusCode.NotFound);
        Assert.EndsWith("no-such-point", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, (await play.SendAsync(HttpMethod.Delete, "/v2/debug/points")).GetProperty("removed").GetInt64());
    }

    [Fact]
    public async Task Points_ThatReport_SendTheirHitsTogether()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("subscribe", """{"topics":["hits"]}""");
        await socket.DoAsync("debug.add", $$"""{"kind":"change","location":"{{Play.FrameCounter}}","length":4,"reports":true}""");
        var counts = new List<long>();
        while (counts.Count < 3)
        {
            var hits = (await socket.EventAsync("hits")).GetProperty("body");
            counts.Add(hits.GetProperty("count").GetInt64());
            Assert.Contains(" 33554440 4 ", hits.GetProperty("lines")[0].GetString(), StringComparison.Ordinal);
        }

        Assert.Equal([counts[0], counts[0] + 1, counts[0] + 2], counts); // the first may have come before the point's id
        Assert.False((await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
    }

    [Fact]
    public async Task Lease_OfAnotherHolder_GoesOnBehindAPoint()
    {
        await using var play = await Play.StartAsync();
        using var player = await WebSocketClient.OpenAsync(play.Gateway);
        await player.DoAsync("lease.take");
        var before = await play.ReadAsync(Play.FrameCounter);
        var point = (await play.SendAsync(HttpMethod.Post, "/v2/debug/points", Watched)).GetProperty("point").GetInt64();
        var step = player.DoAsync("lease.step", """{"frames":2}""");
        var halted = await ContinueAsync(play, await HaltedAsync(play, 0));
        Assert.False(step.IsCompleted);
        await play.SendAsync(HttpMethod.Post, "/v2/debug/continue");
        await step;
        Assert.Equal(before + 2, await play.ReadAsync(Play.FrameCounter));

        await play.SendAsync(HttpMethod.Delete, $"/v2/debug/points/{point}");
        var between = await play.SendAsync(HttpMethod.Post, "/v2/debug/halt");
        Assert.True(between.GetProperty("halt").GetInt64() > halted.GetProperty("halt").GetInt64());
        await play.SendAsync(HttpMethod.Post, "/v2/debug/continue");
        using (var debugger = await WebSocketClient.OpenAsync(play.Gateway))
        {
            await debugger.DoAsync("debug.add", Watched);
        }

        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/debug/points")).GetProperty("points").GetArrayLength() == 0);
        await player.DoAsync("lease.step", """{"frames":3}""");
    }

    [Fact]
    public async Task Halts_ShowTheSymbols()
    {
        await using var play = await Play.StartAsync();
        using (await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes("02000008 counter\n08000000 first\n"u8.ToArray())))
        {
            await play.SendAsync(HttpMethod.Post, "/v2/debug/points", """{"kind":"write","location":"counter"}""");
        }

        var halted = await HaltedAsync(play, 0);
        Assert.Equal("counter", halted.GetProperty("hit").GetProperty("name").GetString());
        Assert.StartsWith("first+0x", halted.GetProperty("symbol").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Breakpoint_OnAGameBoy_KnowsBanks()
    {
        await using var play = await Play.StartGameBoyAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/debug/points", """{"location":"0x0040"}""");
        var halted = await HaltedAsync(play, 0);
        Assert.Equal(("0x00000040", 0), (halted.GetProperty("pc").GetString(), halted.GetProperty("bank").GetInt32()));
        Assert.True(halted.GetProperty("registers").TryGetProperty("hl", out _));
    }

    // the places of the writes in BankRom
    [Theory]
    [InlineData("wram:0x2010", "0x0000015F", "wSecond")]
    [InlineData("wram:0x3010", "0x00000167", "wThird")]
    [InlineData("sram:0x10", "0x00000170", "sFirst")]
    [InlineData("sram:0x2010", "0x00000179", null)]
    [InlineData("vram:0x10", "0x00000181", null)]
    [InlineData("vram:0x4010", "0x00000189", "vSecond+0x10")]
    [InlineData("wThird", "0x00000167", "wThird")]
    [InlineData("sFirst", "0x00000170", "sFirst")]
    [InlineData("vSecond+0x10", "0x00000189", "vSecond+0x10")]
    public async Task Watchpoint_InABankOfAGameBoy_IsHitOnlyThere(string location, string pc, string? name)
    {
        await using var play = await StartBanksAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/debug/points", $$"""{"kind":"write","location":"{{location}}"}""");
        var halted = await HaltedAsync(play, 0);
        for (var time = 0; time < 3; time++)
        {
            var hit = halted.GetProperty("hit");
            Assert.Equal((pc, name), (hit.GetProperty("pc").GetString(), hit.TryGetProperty("name", out var named) ? named.GetString() : null));
            halted = await ContinueAsync(play, halted);
        }
    }

    [Fact]
    public async Task Breakpoint_AndStepTo_InABankOfAGameBoy_HaltOnlyThere()
    {
        await using var play = await StartBanksAsync();
        var point = (await play.SendAsync(HttpMethod.Post, "/v2/debug/points", """{"location":"cart0:0xC000"}""")).GetProperty("point").GetInt64();
        var halted = await HaltedAsync(play, 0);
        Assert.Equal(("0x00004000", 3), (halted.GetProperty("pc").GetString(), halted.GetProperty("bank").GetInt32()));
        await play.SendAsync(HttpMethod.Delete, $"/v2/debug/points/{point}");
        foreach (var (location, bank) in new[] { ("cart0:0xC000", 3), ("rSecond", 2), ("cart0:0xC000", 3) })
        {
            var reached = await play.SendAsync(HttpMethod.Post, "/v2/debug/step", $$"""{"kind":"to","location":"{{location}}"}""");
            Assert.Equal(("step", "0x00004000", bank), (reached.GetProperty("reason").GetString(), reached.GetProperty("pc").GetString(), reached.GetProperty("bank").GetInt32()));
        }
    }

    [Fact]
    public async Task Points_BeyondTheirBank_AreRefused()
    {
        await using var play = await StartBanksAsync();
        foreach (var location in new[] { "wram:0x2FF0", "wram:0xFF0", "sram:0x1FF0", "sram:0x7FF0" })
        {
            var problem = await play.SendAsync(HttpMethod.Post, "/v2/debug/points", $$"""{"kind":"write","location":"{{location}}","length":17}""", status: HttpStatusCode.BadRequest);
            Assert.Contains("and 17 bytes reach beyond its bank", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        await play.SendAsync(HttpMethod.Post, "/v2/debug/points", """{"kind":"read","location":"wram:0x2FF0","length":16}""");
    }

    // for ever: writes to banks 2 and 3 of work RAM, 0 and 1 of save memory, 0 and 1 of video memory, and calls of code in banks 2 and 3
    private static byte[] BankRom()
    {
        var rom = new byte[0x10000];
        Put(0x100, "00C35001"); // nop; jp 0x150
        Put(0x104, "CEED6666"); // as much of the logo as mGBA checks
        Put(0x143, "80"); // for a Game Boy Color
        Put(0x147, "1B0103"); // MBC5 with battery RAM, 64 KiB ROM, 32 KiB RAM
        Put(0x150, "3E0A EA0000 0C 79 EA08C1"); // switch the save memory on; 0x155: inc c; (0xC108) = c, which says that the game runs
        Put(0x15A, "3E02 E070 79 EA10D0 3E03 E070 79 EA10D0"); // SVBK = 2; (0xD010) = c; ...
        Put(0x16A, "3E00 EA0040 79 EA10A0 3E01 EA0040 79 EA10A0");
        Put(0x17C, "3E00 E04F 79 EA1080 3E01 E04F 79 EA1080"); // VBK
        Put(0x18C, "3E02 EA0020 CD0040 3E03 EA0020 CD0040 18B7"); // call 0x4000; jr 0x155
        Put(0x8000, "C9"); // ret
        Put(0xC000, "C9");
        return rom;

        void Put(int at, string code) => Convert.FromHexString(code.Replace(" ", "", StringComparison.Ordinal)).CopyTo(rom, at);
    }

    private static async Task<Play> StartBanksAsync()
    {
        var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(game: "banks.gbc", bytes: BankRom()));
        await play.SendAsync(HttpMethod.Put, "/v2/symbols", "; File generated by rgblink\n01:D010 wFirst\n02:D010 wSecond\n03:D010 wThird\n00:A010 sFirst\n01:8000 vSecond\n02:4000 rSecond\n");
        return play;
    }

    private static async Task<JsonElement> ContinueAsync(Play play, JsonElement halted)
    {
        await play.SendAsync(HttpMethod.Post, "/v2/debug/continue");
        return await HaltedAsync(play, halted.GetProperty("halt").GetInt64());
    }

    private static async Task<JsonElement> HaltedAsync(Play play, long before)
    {
        var found = default(JsonElement);
        await Eventually.IsAsync(async () =>
        {
            found = await play.GetAsync("/v2/debug");
            return found.GetProperty("halted").GetBoolean() && found.GetProperty("halt").GetInt64() > before;
        });
        return found;
    }
}
