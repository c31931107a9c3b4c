using System.Net;
using System.Text;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.States;

public sealed class StateOperationsTests
{
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
        foreach (var wrong in new byte[][] { Encoding.UTF8.GetBytes("no state"), new byte[5_000], state[..(state.Length / 2)] })
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
        await play.SendAsync(HttpMethod.Put, "/v2/state?slot=3&flags=29");
        await play.SendAsync(HttpMethod.Put, "/v2/state?slot=7", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Put, "/v2/state?slot=10", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Post, "/v2/state/save", """{"file":"a, b.ss"}""");
        Assert.True(File.Exists(Path.Combine(play.Folder, "a, b.ss")));
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=a,%20b.ss");
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=../x.ss", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=/etc/passwd", status: HttpStatusCode.Forbidden);
        await play.SendAsync(HttpMethod.Put, "/v2/state?file=x&slot=1", status: HttpStatusCode.BadRequest);
        var missing = await play.SendAsync(HttpMethod.Put, "/v2/state", status: HttpStatusCode.BadRequest);
        Assert.Contains("send its bytes, or name a slot or a file", missing.GetProperty("detail").GetString(), StringComparison.Ordinal);
        using var both = await play.RawAsync(HttpMethod.Put, "/v2/state?slot=3", Play.Bytes([1]));
        Assert.Equal(HttpStatusCode.BadRequest, both.StatusCode);

        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        await socket.DoAsync("state.save", """{"slot":4}""");
        await socket.DoAsync("state.load", """{"slot":4}""");
    }
}
