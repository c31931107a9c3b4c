using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Cheats;

public sealed class CheatOperationsTests
{
    private const string Mark = "/v2/memory/0x02010000/u8";

    [Fact]
    public async Task Cheat_IsAppliedUntilItIsSwitchedOffOrRemoved()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"seven lives","codes":"02010000:07"}""");
        await WriteOneAsync(play);
        Assert.Equal(7, await ReadAsync(play));

        await play.SendAsync(HttpMethod.Put, "/v2/cheats/seven%20lives", """{"enabled":false}""");
        await WriteOneAsync(play);
        Assert.Equal(1, await ReadAsync(play));

        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"money","codes":"32010004+00FF+32010005 00FE","enabled":false}""");
        Assert.Equal(
            """[{"name":"seven lives","enabled":false,"codes":["02010000:07"]},{"name":"money","enabled":false,"codes":["32010004 00FF","32010005 00FE"]}]""",
            (await play.GetAsync("/v2/cheats")).GetProperty("cheats").GetRawText());

        await play.SendAsync(HttpMethod.Put, "/v2/cheats/seven%20lives", """{"enabled":true}""");
        await play.SendAsync(HttpMethod.Post, "/v2/reset");
        await WriteOneAsync(play);
        Assert.Equal(7, await ReadAsync(play));
        await play.SendAsync(HttpMethod.Delete, "/v2/cheats/seven%20lives");
        await WriteOneAsync(play);
        Assert.Equal(1, await ReadAsync(play));
        Assert.Equal(1, (await play.GetAsync("/v2/cheats")).GetProperty("cheats").GetArrayLength());
    }

    [Fact]
    public async Task Cheats_OfAFile_AreAddedAndListed()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"Money","codes":"02010000:07"}""");
        var loaded = await FileAsync(play, "[Money]\nON=02A10,10,27\n[Weapon]\nAxe=00100,02\nBow=zz\n[GameInfo]\nName=Test\n", HttpStatusCode.OK);
        Assert.Equal(
            """[{"name":"Money","enabled":false,"codes":["02002A10:10","02002A11:27"]},{"name":"Weapon: Axe","enabled":false,"codes":["02000100:02"]},"""
                + """{"name":"Weapon: Bow","enabled":false,"codes":["zz"],"problem":"line 5: \"zz\" is no code that mGBA knows for this console"}]""",
            loaded.GetProperty("cheats").GetRawText());
        var problem = await FileAsync(play, "garbage here\nmore garbage\n", HttpStatusCode.BadRequest);
        Assert.Contains("no cheat for this console; line 1: \"garbage here\" is no code", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await FileAsync(play, "a\0b", HttpStatusCode.BadRequest);
        Assert.Equal(loaded.GetProperty("cheats").GetRawText(), (await play.GetAsync("/v2/cheats")).GetProperty("cheats").GetRawText());
    }

    [Theory]
    [InlineData("garbage here\nmore garbage\n")]
    [InlineData("0155A0DE 0Off one\n0166A1DE 1On one\n")] // BGB's, of the Game Boy
    public async Task File_ThatIsRefused_ChangesNothing(string text)
    {
        await using var play = await Play.StartAsync();
        await FileAsync(play, text, HttpStatusCode.BadRequest);
        Assert.Equal(0, (await play.GetAsync("/v2/cheats")).GetProperty("cheats").GetArrayLength());
    }

    [Fact]
    public async Task Cheats_ForTheRom_AreAppliedAndUndone()
    {
        await using var play = await Play.StartAsync();
        var before = (await play.GetAsync("/v2/memory/0x08000100/u16")).GetProperty("value").GetInt32();
        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"ROM","codes":"08000100:e001"}""");
        await play.WaitAsync(2);
        Assert.Equal(0xE001, (await play.GetAsync("/v2/memory/0x08000100/u16")).GetProperty("value").GetInt32());
        await play.SendAsync(HttpMethod.Delete, "/v2/cheats/ROM");
        Assert.Equal(before, (await play.GetAsync("/v2/memory/0x08000100/u16")).GetProperty("value").GetInt32());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Cheats_AreThereAfterARestart(bool byFault)
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"off","codes":"32010004 00FF","enabled":false}""");
        await gateway.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"raw","codes":"!GSAv1 raw\n02010008 00000007"}""");
        await gateway.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"gone","codes":"02010000:07"}""");
        await gateway.SendAsync(HttpMethod.Delete, "/v2/cheats/gone");
        var before = (await gateway.GetAsync("/v2/cheats")).GetProperty("cheats").GetRawText();
        if (byFault)
        {
            var process = (await gateway.ProcessAsync("1")).GetProperty("pid").GetInt32();
            OwnedGateway.Signal(process, "-KILL");
            await Eventually.IsAsync(async () => (await gateway.ProcessAsync("1")).GetProperty("restarts").GetInt32() == 1 && (await gateway.ProcessAsync("1")).GetProperty("lastFault").TryGetProperty("restartedAt", out _));
        }
        else
        {
            await gateway.SendAsync(HttpMethod.Post, "/v2/emulators/1/restart");
        }

        Assert.Equal(before, (await gateway.GetAsync("/v2/cheats")).GetProperty("cheats").GetRawText());
        Assert.Contains("!GSAv1 raw", before, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"name":"a","codes":"hello"}""", "\"hello\" is no code that mGBA knows for this console")]
    [InlineData("""{"name":"a","codes":" + "}""", "it has no code")]
    [InlineData("""{"name":"a\nb","codes":"02010000:07"}""", "a cheat's name has 1 to 128 bytes, in one line")]
    [InlineData("""{"name":"","codes":"02010000:07"}""", "name")]
    [InlineData("""{"name":"a"}""", "codes is missing")]
    public async Task Cheat_ThatCannotBeUsed_IsRefusedWithTheReason(string body, string reason)
    {
        await using var play = await Play.StartAsync();

        var problem = await play.SendAsync(HttpMethod.Put, "/v2/cheats", body, status: HttpStatusCode.BadRequest);

        Assert.Contains(reason, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, (await play.GetAsync("/v2/cheats")).GetProperty("cheats").GetArrayLength());
    }

    [Fact]
    public async Task Cheat_ThatIsNotThere_IsNotFound()
    {
        await using var play = await Play.StartAsync();

        foreach (var (method, body) in new[] { (HttpMethod.Delete, null), (HttpMethod.Put, """{"enabled":true}""") })
        {
            var problem = await play.SendAsync(method, "/v2/cheats/none", body, status: HttpStatusCode.NotFound);
            Assert.Equal("urn:mgba-bridge:problem:no-such-cheat", problem.GetProperty("type").GetString());
        }
    }

    private static async Task<JsonElement> FileAsync(Play play, string text, HttpStatusCode status)
    {
        using var response = await play.RawAsync(HttpMethod.Post, "/v2/cheats", Play.Bytes(Encoding.UTF8.GetBytes(text)));
        var answer = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.True(status == response.StatusCode, answer);
        return JsonDocument.Parse(answer).RootElement;
    }

    private static async Task<int> ReadAsync(Play play) => (await play.GetAsync(Mark)).GetProperty("value").GetInt32();

    private static async Task WriteOneAsync(Play play)
    {
        await play.SendAsync(HttpMethod.Put, Mark, """{"value":1}""");
        await play.WaitAsync(3);
    }
}
