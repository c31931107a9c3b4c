using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Debug;

public sealed class HistoryOperationsTests
{
    [Fact]
    public async Task Back_ShowsWhatWas_AndForwardLeadsIntoThePresent()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        await play.WaitAsync(20);
        var present = await play.SendAsync(HttpMethod.Post, "/v2/debug/halt");
        var counted = await play.ReadAsync(Play.FrameCounter);
        var back = await play.SendAsync(HttpMethod.Post, "/v2/debug/back", """{"kind":"frame","count":8}""");
        Assert.Equal("step", back.GetProperty("reason").GetString());
        Assert.InRange(present.GetProperty("frame").GetInt64() - back.GetProperty("past").GetInt64(), 7, 8);
        Assert.InRange(counted - await play.ReadAsync(Play.FrameCounter), 6, 8);
        Assert.True((await play.GetAsync("/v2/debug/history")).GetProperty("inPast").GetBoolean());

        var there = back.GetProperty("pc").GetString();
        var next = await play.SendAsync(HttpMethod.Post, "/v2/debug/step", """{"kind":"into"}""");
        Assert.NotEqual(there, next.GetProperty("pc").GetString());
        Assert.Equal(there, (await play.SendAsync(HttpMethod.Post, "/v2/debug/back")).GetProperty("pc").GetString());

        await play.SendAsync(HttpMethod.Post, "/v2/debug/continue");
        await Eventually.IsAsync(async () => !(await play.GetAsync("/v2/debug")).GetProperty("halted").GetBoolean());
        Assert.InRange(await play.ReadAsync(Play.FrameCounter), counted, counted + 200);
    }

    [Fact]
    public async Task BackToAPoint_IsWhereItWouldHaveHalted()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        await play.WaitAsync(10);
        await play.SendAsync(HttpMethod.Post, "/v2/debug/halt");
        var now = await play.ReadAsync(Play.FrameCounter);
        await play.SendAsync(HttpMethod.Post, "/v2/debug/points", $$"""{"kind":"change","location":"{{Play.FrameCounter}}","length":4,"condition":"{{Play.FrameCounter}} u32 == {{now - 3}}"}""");
        var back = await play.SendAsync(HttpMethod.Post, "/v2/debug/back", """{"kind":"point"}""");
        Assert.Equal(("point", now - 3), (back.GetProperty("reason").GetString(), back.GetProperty("hit").GetProperty("value").GetInt64()));
        Assert.Equal(now - 3, await play.ReadAsync(Play.FrameCounter));
        Assert.Equal("history", (await play.SendAsync(HttpMethod.Post, "/v2/debug/back", """{"kind":"point"}""")).GetProperty("reason").GetString());
    }

    [Fact]
    public async Task Writers_AreTheGameAndClients()
    {
        await using var play = await Play.StartAsync();
        await KeepAsync(play);
        await play.WaitAsync(10);
        var found = (await play.GetAsync($"/v2/debug/writers?location={Play.FrameCounter}&length=4&count=3")).GetProperty("writers").EnumerateArray().ToArray();
        Assert.Equal(3, found.Length);
        Assert.All(found, static writer => Assert.Equal(("game", Play.FrameCounter, 4), (writer.GetProperty("by").GetString(), writer.GetProperty("address").GetString(), writer.GetProperty("size").GetInt32())));
        Assert.All(found, static writer => Assert.Equal(writer.GetProperty("before").GetInt64() + 1, writer.GetProperty("value").GetInt64()));
        Assert.Single(found.Select(static writer => writer.GetProperty("pc").GetString()).Distinct());

        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02003000/u8", """{"value":77}""");
        await play.WaitAsync(3);
        var written = Assert.Single((await play.GetAsync("/v2/debug/writers?location=0x02003000")).GetProperty("writers").EnumerateArray());
        Assert.Equal(("outside", 77), (written.GetProperty("by").GetString(), written.GetProperty("value").GetInt32()));
        Assert.False(written.TryGetProperty("pc", out _));
    }

    [Theory]
    [InlineData("POST", "/v2/debug/back", """{"kind":"aside"}""", HttpStatusCode.BadRequest, "kind is")]
    [InlineData("POST", "/v2/debug/back", "{}", HttpStatusCode.Conflict, "debug.keepHistory")]
    [InlineData("GET", "/v2/debug/writers?location=0x02000000", null, HttpStatusCode.Conflict, "debug.keepHistory")]
    [InlineData("GET", "/v2/debug/writers", null, HttpStatusCode.BadRequest, "location is missing")]
    [InlineData("GET", "/v2/debug/writers?location=0x02000000&count=65", null, HttpStatusCode.BadRequest, "count is \"65\"")]
    [InlineData("PUT", "/v2/debug/history", """{"megabytes":5000}""", HttpStatusCode.BadRequest, "megabytes is 5000")]
    public async Task Refusals_SayWhatToChange(string method, string path, string? body, HttpStatusCode status, string part)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/debug/halt");
        var refused = await play.SendAsync(new HttpMethod(method), path, body, status: status);
        Assert.Contains(part, refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static Task<JsonElement> KeepAsync(Play play) => play.SendAsync(HttpMethod.Put, "/v2/debug/history", """{"megabytes":64}""");
}
