using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Keys;

public sealed class KeyOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    [Fact]
    public async Task Holders_BeyondTheLimit_AreRefusedAndTheKeysCanStillBeRead()
    {
        await using var play = await Play.StartAsync();
        for (var holder = 0; holder < 256; holder++)
        {
            await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A","B","Select","Start","Right","Left","Up","Down","R","L"]}""", HolderNamed(holder));
        }

        var refused = await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""", HolderNamed(256), HttpStatusCode.ServiceUnavailable);
        Assert.Contains("256 holders", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(1023, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
        await play.SendAsync(HttpMethod.Delete, "/v2/keys", holder: HolderNamed(7));
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""", HolderNamed(256));
        static string HolderNamed(int number) => number.ToString("D64", System.Globalization.CultureInfo.InvariantCulture);
    }

    [Fact]
    public async Task Levels_OfSeveralHolders_AreKeptApart()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A","up"]}""");
        await play.SendAsync(HttpMethod.Post, "/v2/keys/add", """{"keys":"A+B"}""", holder: "bot-1");
        var both = await play.GetAsync("/v2/keys");
        Assert.Equal(0b100_0011, both.GetProperty("mask").GetInt32());
        Assert.Equal("""[{"holder":"bot-1","keys":["A","B"]},{"holder":"http","keys":["A","Up"]}]""", both.GetProperty("holders").GetRawText());
        await play.SendAsync(HttpMethod.Post, "/v2/keys/clear", """{"keys":["A"]}""");
        Assert.Equal(0b100_0011, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
        await play.SendAsync(HttpMethod.Delete, "/v2/keys", holder: "bot-1");
        await play.WaitAsync(3);
        Assert.Equal("""["Up"]""", (await play.GetAsync("/i/1/v2/keys")).GetProperty("keys").GetRawText());
        Assert.Equal(0b100_0000, await play.ReadAsync("0x0200000C"));
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":[]}""");
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Fact]
    public async Task Taps_AskedForAtOnce_AreAllSeenByTheGame()
    {
        await using var play = await Play.StartAsync();
        var before = await play.EdgesAsync(0);
        var taps = await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"frames":1,"gap":1,"wait":true}""")));
        await play.WaitAsync(2);
        Assert.Equal(10, await play.EdgesAsync(0) - before);
        var downs = taps.Select(tap => tap.GetProperty("down").GetInt64()).Order().ToArray();
        Assert.Equal(downs, downs.Distinct());
        Assert.All(taps, tap => Assert.Equal(1, tap.GetProperty("up").GetInt64() - tap.GetProperty("down").GetInt64()));
        Assert.All(taps, tap => Assert.True(tap.GetProperty("frame").GetInt64() >= tap.GetProperty("up").GetInt64()));
    }

    [Fact]
    public async Task Taps_ThatShorten_SayHowFarBehindTheyAreAndJoin()
    {
        await using var play = await Play.StartAsync();
        var before = await play.EdgesAsync(0);
        var taps = await Task.WhenAll(Enumerable.Range(0, 12).Select(_ => play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"frames":15,"waiting":"shorten","wait":true}""")));
        await play.WaitAsync(2);
        Assert.All(taps, tap => Assert.InRange(tap.GetProperty("lag").GetInt64(), 0, 24));
        var joined = taps.Count(tap => tap.TryGetProperty("joined", out _));
        Assert.Equal(12 - joined, await play.EdgesAsync(0) - before);
        Assert.Equal(12 - joined, taps.Select(tap => tap.GetProperty("down").GetInt64()).Distinct().Count());
        var page = await play.Client.GetStringAsync(new Uri("/metrics", UriKind.Relative), TestContext.Current.CancellationToken);
        Assert.Contains("mgba_client_press_lag_frames_bucket{mgba_emulator=\"1\",le=\"24\"}", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Tap_ThatReplaces_CancelsWhatWaits()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"frames":600}""");
        var waits = play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"frames":600,"wait":true}""", status: HttpStatusCode.Conflict);
        while (!waits.IsCompleted)
        {
            var tap = await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"waiting":"replace","wait":true}""");
            Assert.InRange(tap.GetProperty("lag").GetInt64(), 0, 4);
        }

        Assert.Contains("waiting=replace", (await waits).GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Press_OfAKeyThatIsHeld_SaysThatTheGameSeesNone()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""", holder: "other");
        await play.WaitAsync(2);
        var before = await play.EdgesAsync(0);
        var tap = await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A","B"],"wait":true}""");
        Assert.Equal(("""["A"]""", 1), (tap.GetProperty("unseen").GetRawText(), tap.GetProperty("missed").GetInt32()));
        var batch = await play.SendAsync(HttpMethod.Post, "/v2/batch", """{"items":[{"tap":{"keys":["A"]}}]}""");
        Assert.Equal("""["A"]""", batch.GetProperty("results")[0].GetProperty("unseen").GetRawText());
        await play.WaitAsync(8);
        Assert.Equal(before, await play.EdgesAsync(0));
        await play.SendAsync(HttpMethod.Delete, "/v2/keys", holder: "other");
        Assert.False((await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"wait":true}""")).TryGetProperty("unseen", out _));
    }

    [Fact]
    public async Task Sequence_AsTextOrSteps_PressesOneAfterTheOther()
    {
        await using var play = await Play.StartAsync();
        var text = await play.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A 2, wait 3, Up+B 2","wait":true}""");
        var steps = await play.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"steps":[{"keys":["A"],"frames":2},{"frames":3},{"keys":["Up","B"],"frames":2}],"wait":true}""");
        Assert.Equal(7, text.GetProperty("up").GetInt64() - text.GetProperty("down").GetInt64());
        Assert.Equal(7, steps.GetProperty("up").GetInt64() - steps.GetProperty("down").GetInt64());
        await play.WaitAsync(2);
        Assert.Equal((2, 2, 2), (await play.EdgesAsync(0), await play.EdgesAsync(1), await play.EdgesAsync(6)));
    }

    [Theory]
    [InlineData("/v2/keys/tap", """{"keys":["Q"]}""", "\"Q\" is not a key")]
    [InlineData("/v2/keys/tap", """{"keys":[]}""", "keys is a list; expected at least one of A, B,")]
    [InlineData("/v2/keys/tap", """{"keys":["A"],"frames":0}""", "from 1 to 36000")]
    [InlineData("/v2/keys/tap", """{"keys":["A"],"frames":-1}""", "from 1 to 36000")]
    [InlineData("/v2/keys/tap", """{"keys":["A"],"gap":36001}""", "from 1 to 36000")]
    [InlineData("/v2/keys/tap", """{"keys":["A"],"frames":1.5}""", "frames is 1.5; expected an integer from 1 to 36000")]
    [InlineData("/v2/keys/tap", """{"keys":["A"],"frame":1}""", "There is no parameter \"frame\". Did you mean frames?")]
    [InlineData("/v2/keys/tap", """{"frames":1}""", "keys is missing")]
    [InlineData("/v2/keys/tap", """{"keys":7}""", "[\"A\", \"Up\"]")]
    [InlineData("/v2/keys/tap", "keys", "The body is not JSON")]
    [InlineData("/v2/keys/tap", "null", "JSON object: keys, frames")]
    [InlineData("/v2/keys/add", "{}", "keys is missing")]
    [InlineData("/v2/keys/sequence", "{}", "Write either")]
    [InlineData("/v2/keys/sequence", """{"sequence":"A 4, wait"}""", "is not a step")]
    [InlineData("/v2/keys/sequence", """{"sequence":"A 4 <|END|>"}""", "is not a step")]
    [InlineData("/v2/keys/sequence", """{"steps":[{"keys":["A"],"frames":0}]}""", "from 1 to 36000")]
    public async Task BadInput_IsRefusedWithWhatToWrite(string path, string body, string expected)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Post, path, body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Theory]
    [InlineData(70_000)]
    [InlineData(7_000)]
    [InlineData(17)]
    public async Task Key_WithALongName_IsRefused(int length)
    {
        await using var play = await Play.StartAsync();
        foreach (var keys in new[] { $"[\"{new string('q', length)}\"]", $"\"{new string('q', length)}\"" })
        {
            var problem = await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", $"{{\"keys\":{keys}}}", status: HttpStatusCode.BadRequest);
            Assert.Contains("is not a key", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
            Assert.InRange(problem.GetRawText().Length, 1, 1000);
        }
    }

    [Fact]
    public async Task Keys_InSeveralSegmentsOfABody_AreRead()
    {
        await using var play = await Play.StartAsync();
        var names = string.Join(',', Enumerable.Repeat("\"Select\"", 9_000));
        await play.SendAsync(HttpMethod.Put, "/v2/keys", $"{{\"keys\":[{names}]}}");
        Assert.Equal(0b100, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Fact]
    public async Task Holder_ThatCannotBeOne_IsRefused()
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""", holder: "a b", status: HttpStatusCode.BadRequest);
        Assert.Contains("Mgba-Holder", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }
}
