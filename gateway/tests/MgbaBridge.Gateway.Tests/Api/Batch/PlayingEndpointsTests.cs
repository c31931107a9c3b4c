using System.Net;
using System.Text;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Api.Batch;

public sealed class PlayingEndpointsTests
{
    [Fact]
    public async Task Step_WhoseCallerLeaves_EndsAndTheLeaseGoesOn()
    {
        await using var play = await Play.StartAsync();
        var taken = await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", holder: "agent");
        using var leaving = new CancellationTokenSource();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/v2/lease/step") { Content = new StringContent("""{"frames":36000}"""), Headers = { { "Mgba-Holder", "agent" } } };
        var step = play.Client.SendAsync(request, leaving.Token);
        var began = taken.GetProperty("frame").GetInt64();
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64() > began);
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => step);

        // 503 while the long step runs, which would be ten minutes
        await Eventually.IsAsync(async () =>
        {
            using var next = await play.RawAsync(HttpMethod.Post, "/v2/lease/step", new StringContent("""{"frames":1}"""), "agent");
            return next.StatusCode == HttpStatusCode.OK;
        });
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "agent");
    }

    [Fact]
    public async Task Batch_OfManyKinds_IsDoneInOneFrame()
    {
        await using var play = await Play.StartAsync();
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/batch", """
            {"items":[
              {"guard":{"location":"0x02000000","type":"u8","value":77}},
              {"guard":{"location":"0x02000000","bytes":"TUJUMQ=="}},
              {"write":{"location":"0x02001000","type":"s16","value":-5}},
              {"write":{"location":"0x02001010","bytes":"PHxFTkR8Pg=="}},
              {"read":{"location":"0x02001000","type":"s16"}},
              {"read":{"location":"0x02001010","length":7}},
              {"read":{"location":"0x02000008","type":"u32"}},
              {"read":{"location":"0x0200008C","type":"s32"}},
              {"register":"pc"},
              {"tap":{"keys":["A"],"frames":2}},
              {"sequence":{"sequence":"B 1"}},
              {"addKeys":{"keys":["Up"]}},
              {"screen":true}
            ]}
            """);
        var results = answer.GetProperty("results");
        Assert.Equal((13, 13), (answer.GetProperty("done").GetInt32(), answer.GetProperty("of").GetInt32()));
        Assert.Equal(-5, results[4].GetProperty("value").GetInt64());
        Assert.Equal("<|END|>", Encoding.ASCII.GetString(results[5].GetProperty("bytes").GetBytesFromBase64()));
        Assert.Equal(300, results[6].GetProperty("value").GetInt64() + results[7].GetProperty("value").GetInt64());
        Assert.Equal(2, results[9].GetProperty("up").GetInt64() - results[9].GetProperty("down").GetInt64());
        Assert.Equal(0x89, results[12].GetProperty("bytes").GetBytesFromBase64()[0]);
    }

    [Fact]
    public async Task Batch_WhoseGuardDoesNotHold_DoesNothing()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u8", """{"value":1}""");
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/batch", """
            {"items":[{"guard":{"location":"0x02000000","type":"u8","value":77}},{"guard":{"location":"0x02000000","type":"u8","is":"gt","value":77}},{"write":{"location":"0x02001000","type":"u8","value":2}}]}
            """, status: HttpStatusCode.PreconditionFailed);
        Assert.EndsWith("guard-failed", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
        Assert.Contains("item 2", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(1, await play.ReadAsync(Play.Scratch, "u8"));
    }

    [Fact]
    public async Task Batches_ThatCountWithAGuard_LoseNothing()
    {
        await using var play = await Play.StartAsync();
        await Task.WhenAll(Enumerable.Range(0, 4).Select(async _ =>
        {
            for (var counted = 0; counted < 50;)
            {
                var now = await play.ReadAsync(Play.Scratch);
                using var response = await play.RawAsync(HttpMethod.Post, "/v2/batch", new StringContent(
                    $$$"""{"items":[{"guard":{"location":"{{{Play.Scratch}}}","type":"u32","value":{{{now}}}}},{"write":{"location":"{{{Play.Scratch}}}","type":"u32","value":{{{now + 1}}}}}]}"""));
                Assert.True(response.StatusCode is HttpStatusCode.OK or HttpStatusCode.PreconditionFailed);
                counted += response.StatusCode == HttpStatusCode.OK ? 1 : 0;
            }
        }));
        Assert.Equal(200, await play.ReadAsync(Play.Scratch));
    }

    [Fact]
    public async Task Batch_ForLater_IsDoneInItsFrameUpToWhatFails()
    {
        await using var play = await Play.StartAsync();
        var now = (await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64();
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/batch", $$$"""{"at":{{{now + 60}}},"items":[{"read":{"location":"0x02000008","type":"u32"}},{"register":"r99"},{"reset":true}]}""");
        Assert.Equal((now + 60, 1, 3), (answer.GetProperty("frame").GetInt64(), answer.GetProperty("done").GetInt32(), answer.GetProperty("of").GetInt32()));
        Assert.Equal("not-found", answer.GetProperty("results")[1].GetProperty("code").GetString());
        Assert.Equal(2, answer.GetProperty("results").GetArrayLength());
        await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"at":{{now}},"items":[{"reset":true}]}""", status: HttpStatusCode.BadRequest);
    }

    [Theory]
    [InlineData("""{"items":[]}""", "1 to 4096")]
    [InlineData("""{"items":[{}]}""", "Item 1")]
    [InlineData("""{"items":[null]}""", "Item 1")]
    [InlineData("""{"items":null}""", "$.items cannot be null")]
    [InlineData("""{"items":[{"sequence":{"steps":[null]}}]}""", "Item 1")]
    [InlineData("""{"items":[{"reset":true},{"reset":true,"screen":true}]}""", "Item 2")]
    [InlineData("""{"items":[{"jump":true}]}""", "is not a known field")]
    [InlineData("""{"items":[{"guard":{"location":"0x0","type":"s8","value":1}}]}""", "u8, u16, u32")]
    [InlineData("""{"items":[{"write":{"location":"0x0","type":"s8"}}]}""", "A write has")]
    [InlineData("""{"items":[{"reset":true},{"guard":{"location":"0x0","type":"u8","value":1}}]}""", "guards come before")]
    [InlineData("""{"items":[{"tap":{"keys":["A"],"wait":true}}]}""", "wait=true")]
    public async Task Batch_ThatCannotBe_IsRefused(string body, string expected)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/batch", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_UntilItHoldsOrFramesAreOver_SaysWhat()
    {
        await using var play = await Play.StartAsync();
        var target = await play.ReadAsync(Play.FrameCounter) + 30;
        var met = await play.SendAsync(HttpMethod.Post, "/v2/wait", $$"""{"all":[{"location":"0x02000008","type":"u32","is":"ge","value":{{target}}},{"location":"0x02000000","type":"u8","value":77}],"frames":3600}""");
        Assert.Equal((true, $"[{target},77]"), (met.GetProperty("met").GetBoolean(), met.GetProperty("values").GetRawText()));
        var over = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"any":[{"location":"0x02000000","type":"s8","is":"lt","value":0},{"location":"0x02000004","type":"u32","is":"changed"}],"frames":5}""");
        Assert.Equal((false, "[77,1]"), (over.GetProperty("met").GetBoolean(), over.GetProperty("values").GetRawText()));
        var text = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"condition":"u8 0x02000000 eq 1 or u16 wram:0x80 changed"}""");
        Assert.True(text.GetProperty("met").GetBoolean());
    }

    [Theory]
    [InlineData("{}", "Write one of")]
    [InlineData("""{"frames":0}""", "from 1 to 36000")]
    [InlineData("""{"all":[]}""", "Write one of")]
    [InlineData("""{"all":[{"location":"0x0","type":"u8"}]}""", "Write one of")]
    [InlineData("""{"condition":"u8 0x0 eq 1","any":[{"location":"0x0","type":"u8","value":1}]}""", "Write one of")]
    [InlineData("""{"condition":"u8 0x0 eq 1<|END|>#2 core.reset<|END|>"}""", "Write one of")]
    [InlineData("""{"condition":"u8 0x0 is 1"}""", "is not a test")]
    [InlineData("""{"condition":"u8 0x100000000 eq 1"}""", "0x100000000")]
    public async Task Wait_ThatCannotBe_IsRefused(string body, string expected)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/wait", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Wait_WhoseCallerLeaves_IsTakenBackInTheScript()
    {
        await using var play = await Play.StartAsync();
        using var leaving = new CancellationTokenSource();
        var waiting = play.Client.PostAsync("/v2/wait", new StringContent("""{"condition":"u8 0x02000000 eq 1"}"""), leaving.Token);
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight > 0);
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        // the script answers what was taken back, and nothing stays under way
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    [Fact]
    public async Task Waits_ByTheHundred_LeaveReadsAlone()
    {
        await using var play = await Play.StartAsync();
        using var leaving = new CancellationTokenSource();
        var waits = Enumerable.Range(0, 200).Select(_ => play.Client.PostAsync("/v2/wait", new StringContent("""{"condition":"u8 0x02000000 eq 1"}"""), leaving.Token)).ToArray();
        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight + play.Gateway.Emulators.First.Waiting >= 200);
        Assert.Equal(77, await play.ReadAsync("0x02000000", "u8"));
        await leaving.CancelAsync();
        foreach (var wait in waits)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => wait);
        }

        await Eventually.Is(() => play.Gateway.Emulators.First.InFlight == 0);
    }

    [Fact]
    public async Task Lease_WithSteps_RunsExactlyThoseFrames()
    {
        await using var play = await Play.StartAsync();
        var lease = await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""");
        var holder = lease.GetProperty("holder").GetString()!;
        var frame = lease.GetProperty("frame").GetInt64();
        var counter = await play.ReadAsync(Play.FrameCounter);
        for (var step = 1; step <= 20; step++)
        {
            var answer = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":3,"keys":["Right"],"items":[{"read":{"location":"0x02000008","type":"u32"}},{"read":{"location":"0x0200000C","type":"u32"}}]}""", holder);
            Assert.Equal(frame + (3 * step), answer.GetProperty("frame").GetInt64());
            Assert.Equal((counter + (3 * step), 16), (answer.GetProperty("results")[0].GetProperty("value").GetInt64(), answer.GetProperty("results")[1].GetProperty("value").GetInt64()));
        }

        var nothing = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":0}""", holder);
        Assert.Equal(frame + 60, nothing.GetProperty("frame").GetInt64());
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":-1}""", holder, HttpStatusCode.BadRequest);
        Assert.True((await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: holder)).GetProperty("released").GetBoolean());
        await play.WaitAsync(5);
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Fact]
    public async Task Step_WithoutALease_IsAConflictThatSaysToTakeIt()
    {
        await using var play = await Play.StartAsync();
        var before = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "first", HttpStatusCode.Conflict);
        Assert.Equal("no-lease", before.GetProperty("code").GetString());
        Assert.Contains("take it first", before.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Post, "/v2/lease", holder: "first");
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "first");
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "first");
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "first", HttpStatusCode.Conflict);
    }

    [Fact]
    public async Task Lease_OfSomebody_LetsOthersOnlyRead()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "first");
        foreach (var (method, path, body) in new (HttpMethod, string, string?)[]
        {
            (HttpMethod.Post, "/v2/lease", null), (HttpMethod.Delete, "/v2/lease", null), (HttpMethod.Post, "/v2/lease/step", """{"frames":1}"""),
            (HttpMethod.Put, "/v2/keys", """{"keys":["A"]}"""), (HttpMethod.Put, "/v2/memory/0x02001000/u8", """{"value":1}"""), (HttpMethod.Post, "/v2/reset", null),
            (HttpMethod.Post, "/v2/batch", """{"items":[{"reset":true}]}"""),
        })
        {
            var problem = await play.SendAsync(method, path, body, status: HttpStatusCode.Locked);
            Assert.Contains("first", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        Assert.Equal(77, await play.ReadAsync("0x02000000", "u8"));
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "first");
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02001000/u8", """{"value":1}""");
    }

    [Fact]
    public async Task Emulator_ThatIsNotThere_IsToldOnEveryPath()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.ScriptMissing);
        foreach (var (method, path, body) in new (HttpMethod, string, string?)[]
        {
            (HttpMethod.Get, "/v2/keys", null), (HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"]}"""), (HttpMethod.Get, "/v2/game", null), (HttpMethod.Get, "/v2/screen", null),
            (HttpMethod.Get, "/v2/state", null), (HttpMethod.Post, "/v2/batch", """{"items":[{"reset":true}]}"""), (HttpMethod.Post, "/v2/wait", """{"frames":1}"""),
            (HttpMethod.Post, "/v2/lease", null), (HttpMethod.Post, "/v2/memory/read", """{"reads":[{"location":"0x0","type":"u8"}]}"""),
        })
        {
            using var request = new HttpRequestMessage(method, path) { Content = body is null ? null : new StringContent(body) };
            using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
            Assert.Equal((path, HttpStatusCode.ServiceUnavailable), (path, response.StatusCode));
            Assert.Contains("Is mGBA running", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
            Assert.True(response.Headers.Contains("Retry-After"));
        }

        using var nobody = await gateway.Client.GetAsync("/i/9/v2/keys", TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.NotFound, nobody.StatusCode);
    }
}
