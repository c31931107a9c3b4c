using System.Net;
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

    private static async Task<int> ReadAsync(Play play) => (await play.GetAsync(Mark)).GetProperty("value").GetInt32();

    private static async Task WriteOneAsync(Play play)
    {
        await play.SendAsync(HttpMethod.Put, Mark, """{"value":1}""");
        await play.WaitAsync(3);
    }
}
