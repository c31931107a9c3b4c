using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.EndToEnd;

/// <summary>A client whose numbers all have a fraction can use each interface; a number that is not whole is refused in each.</summary>
public sealed class WholeNumberTests
{
    [Theory]
    [InlineData("30.0", true)]
    [InlineData("3e1", true)]
    [InlineData("30.5", false)]
    [InlineData("\"30\"", false)]
    public async Task Integers_OfEachInterface_MayBeWrittenAsRealNumbers(string number, bool isAccepted)
    {
        await using var play = await Play.StartAsync();
        var status = isAccepted ? HttpStatusCode.OK : HttpStatusCode.BadRequest;
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", $$"""{"keys":["A"],"frames":{{number}}}""", status: status);
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u32", $$"""{"value":{{number}}}""", status: status);
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/value?type=u8&count=2", $$"""{"value":[{{number}},1.0]}""", status: status);
        await play.SendAsync(HttpMethod.Post, "/v2/batch", $$$"""{"items":[{"tap":{"keys":["A"],"frames":{{{number}}} }}]}""", status: status);
        await play.SendAsync(HttpMethod.Put, "/v2/properties", $$$$"""{"properties":{"edges":{"type":"u8","count":{{{{number}}}},"at":"0x02000020","chain":[8.0]}}}""", status: status);
        await play.SendAsync(HttpMethod.Post, "/v2/memory/read", $$$"""{"reads":[{"location":"0x020000A0","length":{{{number}}}}]}""", status: status);
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.SendAsync($$$"""{"id":7.0,"op":"keys.tap","body":{"keys":["A"],"frames":{{{number}}}}}""");
        Assert.Equal(isAccepted, (await socket.AnswerAsync(7)).TryGetProperty("body", out _));
        await socket.DoAsync("lease.take", """{"limitMs":10000.0}""");
        var stepped = await socket.RequestAsync("lease.step", $$"""{"frames":{{number}}}""");
        Assert.Equal(isAccepted, stepped.TryGetProperty("body", out _));
    }

    [Theory]
    [InlineData("/v2/symbols?limit=3e1", HttpStatusCode.OK)]
    [InlineData("/v2/symbols?limit=30.0", HttpStatusCode.OK)]
    [InlineData("/v2/symbols?limit=30.5", HttpStatusCode.BadRequest)]
    [InlineData("/v2/symbols?limit=1e30", HttpStatusCode.BadRequest)]
    public async Task Integers_OfAQuery_MayBeWrittenAsRealNumbers(string path, HttpStatusCode status)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Get, path, status: status);
    }

    [Theory]
    [InlineData("3.0")]
    [InlineData("3e0")]
    [InlineData("\"3\"")]
    [InlineData("\"3.0\"")]
    public async Task Integers_OfMcp_MayBeRealNumbersAndTexts(string number)
    {
        await using var play = await Play.StartAsync();
        var agent = await McpCaller.ConnectAsync(play.Client);
        var (pressed, _) = await agent.CallAsync("press", $$"""{"keys":"A","frames":{{number}},"picture":"none"}""");
        Assert.Equal("A 3", pressed.GetProperty("pressed").GetString());
        Assert.Contains("frames is", await agent.ErrorAsync("press", """{"keys":"A","frames":30.5}"""), StringComparison.Ordinal);
        Assert.Contains("frames is", await agent.ErrorAsync("press", """{"keys":"A","frames":"30.5"}"""), StringComparison.Ordinal);
    }
}
