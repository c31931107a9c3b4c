using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text.Json;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Game;

public sealed class GameOperationsTests
{
    private const string OldGame = "title=\"OLD\" code=\"CGB-AAUE\" platform=\"gb\" crc32=1 rom_size=32768 frame_cycles=70224 frequency=4194304";

    [Theory]
    [InlineData("")]
    [InlineData(" game_code=nil")]
    public async Task Game_WithoutLettersFromTheScript_HasNoGameCode(string more)
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = request => request.Command == "game.get" ? FakeReply.Ok(OldGame + more) : null });
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
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
        sha.AppendData(await File.ReadAllBytesAsync(Repository.File("headless/roms/mgba-bridge-test.gba"), TestContext.Current.CancellationToken));
        Assert.Equal(Convert.ToHexStringLower(sha.GetHashAndReset()), (await play.GetAsync("/v2/checksum/sha1")).GetProperty("sha1").GetString());
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
        var counted = await play.GetAsync($"/v2/memory/{Play.FrameCounter}/u32");
        Assert.True(counted.GetProperty("value").GetInt64() < counted.GetProperty("frame").GetInt64() - 60);
        Assert.True(after.GetProperty("frame").GetInt64() >= reset.GetProperty("frame").GetInt64());
        await play.SendAsync(HttpMethod.Post, "/v2/step");
    }

    [Fact]
    public async Task Status_AfterTheGameWasChangedOrClosed_IsThatOfTheNewOne()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        Task<JsonElement> StatusAsync() => gateway.Client.GetFromJsonAsync<JsonElement>(new Uri("/v2/status", UriKind.Relative), TestContext.Current.CancellationToken);
        var before = await StatusAsync();
        Assert.Equal(("MGBABRIDGE", "gba"), (before.GetProperty("title").GetString(), before.GetProperty("platform").GetString()));
        await emulator.ControlAsync("load", Repository.File("headless/roms/mgba-bridge-test.gb"));
        await Eventually.IsAsync(async () => (await StatusAsync()).GetProperty("platform").GetString() == "gb");
        var after = await StatusAsync();
        Assert.NotEqual(before.GetProperty("epoch").GetString(), after.GetProperty("epoch").GetString());
        Assert.NotEqual(before.GetProperty("code").GetString(), after.GetProperty("code").GetString());
        await emulator.ControlAsync("close");
        await Eventually.IsAsync(async () => (await StatusAsync()).GetProperty("platform").GetString() == "none");
        Assert.False((await StatusAsync()).TryGetProperty("title", out _));
    }

    [Fact]
    public async Task Console_TakesAnyText()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/console", """{"text":"héllo, \"you\" <|END|>\n","level":"warn"}""");
        await play.SendAsync(HttpMethod.Post, "/v2/console", """{"text":"x","level":"loud"}""", status: HttpStatusCode.BadRequest);
    }
}
