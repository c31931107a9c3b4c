using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Api.Game;

public sealed class GameEndpointsTests
{
    private const string OldGame = "title=\"OLD\" code=\"CGB-AAUE\" platform=\"gb\" crc32=1 rom_size=32768 frame_cycles=70224 frequency=4194304";

    [Theory]
    [InlineData("")]
    [InlineData(" game_code=nil")]
    public async Task Game_WithoutLettersFromTheScript_HasNoGameCode(string more)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = request => request.Command == "game" ? FakeReply.Ok(OldGame + more) : null });
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var game = await gateway.Client.GetFromJsonAsync<JsonElement>(new Uri("/v2/game", UriKind.Relative), TestContext.Current.CancellationToken);
        Assert.Equal("CGB-AAUE", game.GetProperty("code").GetString());
        Assert.False(game.TryGetProperty("gameCode", out _));
    }

    [Fact]
    public async Task Game_ItsChecksumAndWhatTheScriptCan_AreTold()
    {
        await using var play = await Play.StartAsync();
        var game = await play.GetAsync("/v2/game");
        Assert.Equal(("MGBABRIDGE", "AGB-BBTE", "gba"), (game.GetProperty("title").GetString(), game.GetProperty("code").GetString(), game.GetProperty("platform").GetString()));
        Assert.Equal("BBTE", game.GetProperty("gameCode").GetString());
        Assert.Equal((4_096, 280_896, 16_777_216), (game.GetProperty("romSize").GetInt32(), game.GetProperty("frameCycles").GetInt32(), game.GetProperty("frequency").GetInt32()));
        Assert.Equal(game.GetProperty("crc32").GetString(), (await play.GetAsync("/v2/checksum")).GetProperty("crc32").GetString());
        var can = await play.GetAsync("/v2/capabilities");
        Assert.Contains("screen", can.GetProperty("capabilities").EnumerateArray().Select(word => word.GetString()));
        Assert.Contains("ping read no arguments", can.GetProperty("commands").EnumerateArray().Select(word => word.GetString()));
    }

    [Fact]
    public async Task Reset_StartsTheGameAnewAndTheFramesGoOn()
    {
        await using var play = await Play.StartAsync();
        await play.WaitAsync(60);
        var reset = await play.SendAsync(HttpMethod.Post, "/v2/reset");
        var after = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"condition":"u32 0x02000000 eq 827605581","frames":3600}""");
        Assert.True(await play.ReadAsync(Play.FrameCounter) < after.GetProperty("frame").GetInt64() - 60);
        Assert.True(after.GetProperty("frame").GetInt64() >= reset.GetProperty("frame").GetInt64());
        await play.SendAsync(HttpMethod.Post, "/v2/step");
    }

    [Fact]
    public async Task Registers_ReadAndWritten_AreThose()
    {
        await using var play = await Play.StartAsync();
        var pc = await play.GetAsync("/v2/registers/pc");
        Assert.Equal("pc", pc.GetProperty("name").GetString());
        Assert.True(pc.GetProperty("value").GetInt64() > 0);
        await play.SendAsync(HttpMethod.Put, "/v2/registers/r12", """{"value":-1}""");
        var unknown = await play.SendAsync(HttpMethod.Get, "/v2/registers/r99", status: HttpStatusCode.NotFound);
        Assert.Contains("r15", unknown.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Put, "/v2/registers/r0", """{"value":4294967296}""", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Console_TakesAnyText()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/console", """{"text":"héllo, \"you\" <|END|>\n","level":"warn"}""");
        await play.SendAsync(HttpMethod.Post, "/v2/console", """{"text":"x","level":"loud"}""", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Screen_WithATag_IsSentAgainOnlyInAnotherFrame()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", holder: "test");
        using var first = await play.RawAsync(HttpMethod.Get, "/v2/screen");
        var png = await first.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        Assert.Equal("image/png", first.Content.Headers.ContentType?.MediaType);
        Assert.Equal((240, 160), (png[19], png[23]));
        var tag = first.Headers.ETag!.ToString();
        using var head = await play.RawAsync(HttpMethod.Head, "/v2/screen");
        Assert.Equal((png.Length, tag), ((int)head.Content.Headers.ContentLength!, head.Headers.ETag!.ToString()));
        Assert.Empty(await head.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));
        Assert.Equal(HttpStatusCode.NotModified, await IfNoneMatch(tag));
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", holder: "test");
        Assert.Equal(HttpStatusCode.OK, await IfNoneMatch(tag));

        async Task<HttpStatusCode> IfNoneMatch(string known)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/screen") { Headers = { { "If-None-Match", known } } };
            using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
            return response.StatusCode;
        }
    }

    [Fact]
    public async Task State_DownAndUp_TakesTheGameBack()
    {
        await using var play = await Play.StartAsync();
        using var down = await play.RawAsync(HttpMethod.Get, "/v2/state");
        var state = await down.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
        var before = await play.ReadAsync(Play.FrameCounter);
        await play.WaitAsync(120);
        using var up = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(state));
        Assert.Equal(HttpStatusCode.OK, up.StatusCode);
        Assert.True(await play.ReadAsync(Play.FrameCounter) < before + 120);
        foreach (var wrong in new byte[][] { [], Encoding.UTF8.GetBytes("no state"), new byte[5_000], state[..(state.Length / 2)] })
        {
            using var refused = await play.RawAsync(HttpMethod.Put, "/v2/state", Play.Bytes(wrong));
            Assert.Equal(HttpStatusCode.UnprocessableEntity, refused.StatusCode);
        }

        using var badFlags = await play.RawAsync(HttpMethod.Get, "/v2/state?flags=32");
        Assert.Equal(HttpStatusCode.BadRequest, badFlags.StatusCode);
    }

    [Fact]
    public async Task States_InSlotsAndFiles_AreKept()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/state/save", """{"slot":3}""");
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"slot":3,"flags":29}""");
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"slot":7}""", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"slot":10}""", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Post, "/v2/state/save", """{"file":"a, b.ss"}""");
        Assert.True(File.Exists(Path.Combine(play.Folder, "a, b.ss")));
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"file":"a, b.ss"}""");
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"file":"../x.ss"}""", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"file":"/etc/passwd"}""", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Post, "/v2/state/load", """{"file":"x","slot":1}""", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Files_ThatAreThereOrNot_AreLoadedOrNamed()
    {
        await using var play = await Play.StartAsync();
        var epoch = (await play.GetAsync("/v2/game")).GetProperty("epoch").GetString();
        await play.SendAsync(HttpMethod.Post, "/v2/save/load", """{"file":"new.sav","temporary":true}""");
        await play.SendAsync(HttpMethod.Post, "/v2/save/autoload");
        var missing = await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"nope.gba"}""", status: HttpStatusCode.NotFound);
        Assert.Contains("nope.gba", missing.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"/etc/passwd"}""", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"CON.gba"}""", status: HttpStatusCode.Forbidden);
        File.CreateSymbolicLink(Path.Combine(play.Folder, "link.gba"), "/etc/passwd");
        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"link.gba"}""", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Post, "/v2/save/load", """{"file":"link.gba","temporary":true}""", status: HttpStatusCode.Forbidden);
        Assert.Equal(epoch, (await play.GetAsync("/v2/game")).GetProperty("epoch").GetString());
    }
}
