using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Symbols;

public sealed class MemoryValueOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task Values_OfEveryForm_ComeBackAsTheyWent()
    {
        await using var play = await Play.StartAsync();
        Assert.Equal("HELLO MGBA", await ReadAsync(play, "wram:0xA0", "type=text&length=16"));
        foreach (var (query, value, bytes) in new[]
        {
            ("type=u16&count=3&endian=big", "[1,65535,258]", "AAH//wEC"),
            ("type=s32&endian=big", "-2", "/////g=="),
            ("type=u8&count=3", "[1,2,3]", "AQID"),
            ("type=text&length=4", "Hi", "SGkAAA=="),
            ("type=text&length=2&count=2", """["Hi","!"]""", "SGkhAA=="),
            ("type=S16&endian=Big", "-2", "//4="),
            ("type=bytes&length=2", "/wA=", "/wA="),
        })
        {
            var json = value.StartsWith('[') || value.StartsWith('-') ? value : $"\"{value}\"";
            await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/value?{query}", $$"""{"value":{{json}}}""");
            Assert.Equal(value, await ReadAsync(play, Play.Scratch, query));
            Assert.Equal(bytes, await ReadAsync(play, Play.Scratch, $"type=bytes&length={Convert.FromBase64String(bytes).Length}"));
        }
    }

    [Fact]
    public async Task Texts_OfATableOfTheGame_AreReadByIt()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/properties", """{"textTables":{"caesar":{"codes":{"48":"I","45":"F","4C":"M","4F":"P"},"end":"20"}},"properties":{}}""");
        Assert.Equal("IFMMP", await ReadAsync(play, "wram:0xA0", "type=text&length=16&table=caesar"));
    }

    [Theory]
    [InlineData("", "type is")]
    [InlineData("type=u64", "type is")]
    [InlineData("type=text", "length is 1 to 65536 bytes")]
    [InlineData("type=text&length=1048577", "1 to 1048576")]
    [InlineData("type=u8&count=x", "count is \"x\"; expected an integer from 1")]
    [InlineData("type=u32&count=262145", "1 to 262144")]
    [InlineData("type=u8&endian=up", "endian is")]
    [InlineData("type=text&length=3&table=nope", "no text table nope")]
    [InlineData("type=u8&length=3", "a list has a count")]
    [InlineData("type=bytes&length=3&table=ascii", "Only text has a text table")]
    public async Task Values_ThatCannotBe_AreRefused(string query, string expected)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Get, $"/v2/memory/{Play.Scratch}/value?{query}", status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static async Task<string> ReadAsync(Play play, string location, string query) => (await play.GetAsync($"/v2/memory/{location}/value?{query}")).GetProperty("value") switch
    {
        { ValueKind: JsonValueKind.String } text => text.GetString()!,
        var value => value.GetRawText(),
    };
}
