using System.Net;
using System.Text;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Batch;

public sealed class BatchOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
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
    public async Task Item_WithTheNameOfAnOperation_HasItsResponse()
    {
        await using var play = await Play.StartAsync();
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/batch", """
            {"items":[{"registers.get":{}},{"game.get":{}},{"memory.domains":{}},{"keys.get":{}},{"console.write":{"text":"here"}}]}
            """);
        var results = answer.GetProperty("results").EnumerateArray().Select(item => item.GetProperty("result")).ToList();
        Assert.Equal(5, answer.GetProperty("done").GetInt32());
        Assert.All(results, result => Assert.Equal((answer.GetProperty("frame").GetInt64(), answer.GetProperty("epoch").GetString()), (result.GetProperty("frame").GetInt64(), result.GetProperty("epoch").GetString())));
        foreach (var (index, path) in new[] { (0, "registers"), (1, "game"), (2, "memory/domains"), (3, "keys") })
        {
            var alone = await play.SendAsync(HttpMethod.Get, $"/v2/{path}");
            Assert.Equal(alone.EnumerateObject().Select(property => property.Name), results[index].EnumerateObject().Select(property => property.Name));
        }
    }

    [Fact]
    public async Task Item_WhoseParameterIsWrong_IsRefusedWithItsSentence()
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/batch", """{"items":[{"memory.read":{"location":"0x02000000","length":-1}}]}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("length is -1; expected an integer from 0", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
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
    [InlineData("""{"items":[{}]}""", "items[0]: expected exactly one of guard, ")]
    [InlineData("""{"items":[null]}""", "items[0]: expected exactly one of guard, ")]
    [InlineData("""{"items":null}""", "items is null; expected a list of 1 to 4096 items")]
    [InlineData("""{"items":[{"sequence":{"steps":[null]}}]}""", "items[0]: sequence: steps[0]: ")]
    [InlineData("""{"items":[{"reset":true},{"reset":true,"screen":true}]}""", "items[1]: expected exactly one of")]
    [InlineData("""{"items":[{"jump":true}]}""", "items[0]: there is no \"jump\"; expected exactly one of guard, ")]
    [InlineData("""{"items":[{"guard":{"location":"0x0","type":"s8","value":1}}]}""", "type is \"s8\"; expected u8, u16 or u32")]
    [InlineData("""{"items":[{"write":{"location":"0x0","type":"s8"}}]}""", "A write has")]
    [InlineData("""{"items":[{"reset":true},{"guard":{"location":"0x0","type":"u8","value":1}}]}""", "guards come before")]
    [InlineData("""{"items":[{"tap":{"keys":["A"],"wait":true}}]}""", "wait=true")]
    public async Task Batch_ThatCannotBe_IsRefused(string body, string expected)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/batch", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }
}
