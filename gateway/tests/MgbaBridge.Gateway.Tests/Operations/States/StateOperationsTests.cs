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
}
