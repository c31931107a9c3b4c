using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Hosting;
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
            Assert.Equal(alone.EnumerateObject().Select(property => property.Name).Where(name => name != "cartridge"), results[index].EnumerateObject().Select(property => property.Name));
        }
    }

    [Fact]
    public async Task Reads_OfTheGateway_HaveTheResponseThatTheyHaveAlone()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(), ("Owned:DataFolder", Directory.CreateTempSubdirectory().FullName));
        await play.AskGatewayAsync(HttpMethod.Put, "/v2/properties", """{"properties":{"hp":{"type":"u8","at":"0x02000000"}}}""");
        await play.AskGatewayAsync(HttpMethod.Post, "/v2/states", """{"name":"here"}""");
        var search = (await play.SendAsync(HttpMethod.Post, "/v2/searches", """{"type":"u8"}""")).GetProperty("id").GetString();
        await play.Emulator.ControlAsync("pause");
        Dictionary<string, string> bodies = new()
        {
            ["values.read"] = """{"name":"hp"}""",
            ["values.readMany"] = """{"names":["hp"]}""",
            ["memory.readValue"] = """{"location":"0x02000000","type":"u16"}""",
            ["searches.get"] = $$"""{"search":"{{search}}"}""",
            ["searches.matches"] = $$"""{"search":"{{search}}","limit":2}""",
            ["states.get"] = """{"name":"here"}""",
            ["states.picture"] = """{"name":"here"}""",
            ["states.compare"] = """{"name":"here","with":"here"}""",
            ["recordings.download"] = """{"recording":"none"}""",
            ["rewind.screen"] = """{"frame":1}""",
            ["emulators.log"] = """{"id":"none"}""",
            ["fleet.sessions.get"] = """{"session":"none"}""",
            ["votes.get"] = """{"vote":"none"}""",
            ["video.map"] = """{"map":2}""",
            ["video.mapPicture"] = """{"map":2}""",
            ["video.spritePicture"] = """{"sprite":0}""",
            ["video.tiles"] = """{"count":2}""",
            ["video.tilesPicture"] = """{"count":2}""",
        };
        string[] measured = ["status.get", "emulators.list", "metrics.get", "traffic.list"]; // their numbers differ from one moment to the next
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        foreach (var operation in OperationCatalog.All.Where(operation => operation.Batch is { IsOfGateway: true }))
        {
            var body = bodies.GetValueOrDefault(operation.Name, "{}");
            var alone = await socket.RequestAsync(operation.Name, body);
            var result = (await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":[{"{{operation.Name}}":{{body}}}]}""")).GetProperty("results")[0];
            if (alone.TryGetProperty("problem", out var problem))
            {
                Assert.Equal((operation.Name, false), (operation.Name, result.GetProperty("ok").GetBoolean()));
                Assert.Equal(problem.GetProperty("type").GetString(), $"urn:mgba-bridge:problem:{result.GetProperty("code").GetString()}");
                continue;
            }

            var expected = alone.GetProperty("body");
            Assert.True(
                measured.Contains(operation.Name) ? expected.ValueKind == result.GetProperty("result").ValueKind : JsonElement.DeepEquals(expected, result.GetProperty("result")),
                $"{operation.Name}: {result} instead of {expected}");
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Reads_OfTheGateway_RunAfterTheCommandsUpToWhatFails(bool binary)
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync());
        await play.Emulator.ControlAsync("pause");
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var answer = await socket.DoAsync("batch.run", $$$"""
            {"items":[
              {"write":{"location":"{{{Play.Scratch}}}","type":"u16","value":513}},
              {"read":{"location":"{{{Play.Scratch}}}","length":2}},
              {"memory.readValue":{"location":"{{{Play.Scratch}}}","type":"u16"}},
              {"searches.get":{"search":"none"}},
              {"states.list":{}}
            ]}
            """, binary);
        var results = answer.GetProperty("results");
        Assert.Equal((3, 5, 4), (answer.GetProperty("done").GetInt32(), answer.GetProperty("of").GetInt32(), results.GetArrayLength()));
        Assert.False(results[0].TryGetProperty("bytes", out _)); // it has none
        Assert.Equal(513, results[2].GetProperty("result").GetProperty("value").GetInt64());
        Assert.Equal((false, "no-such-search"), (results[3].GetProperty("ok").GetBoolean(), results[3].GetProperty("code").GetString()));
        if (binary)
        {
            Assert.Equal((2, false), (results[1].GetProperty("size").GetInt32(), results[1].TryGetProperty("bytes", out _)));
            Assert.Equal([1, 2], await socket.BytesAsync());
        }
        else
        {
            Assert.Equal([1, 2], results[1].GetProperty("bytes").GetBytesFromBase64());
        }
    }

    [Fact]
    public async Task Reads_OfTheGateway_WhoseBatchDoesNotRun_DoNotRun()
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(
            HttpMethod.Post, "/v2/batch", """{"items":[{"guard":{"location":"0x02000000","type":"u8","value":78}},{"states.list":{}}]}""", status: HttpStatusCode.PreconditionFailed);
        Assert.False(problem.TryGetProperty("results", out _));
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/batch", """{"items":[{"register":"r99"},{"states.list":{}}]}""");
        Assert.Equal((0, 2, 1), (answer.GetProperty("done").GetInt32(), answer.GetProperty("of").GetInt32(), answer.GetProperty("results").GetArrayLength()));
    }

    [Fact]
    public async Task Reads_OfTheGateway_WithManyBytes_EndTheBatch()
    {
        var play = await shared.PlayAsync();
        var items = string.Join(',', Enumerable.Repeat("""{"video.tiles":{"count":1024}}""", 64));
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":[{{items}}]}""");
        var last = answer.GetProperty("results").EnumerateArray().Last();
        Assert.Equal(("too-large", 64), (last.GetProperty("code").GetString(), answer.GetProperty("of").GetInt32()));
        Assert.InRange(answer.GetProperty("done").GetInt32(), 1, 63);
    }

    [Fact]
    public async Task Step_WithAReadOfTheGateway_IsRefused()
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1,"items":[{"states.list":{}}]}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("items[0]: states.list cannot be an item of a step: the gateway runs it.", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reads_OfTheGateway_BeyondTheirNumber_AreRefused()
    {
        var play = await shared.PlayAsync();
        var items = string.Join(',', Enumerable.Repeat("""{"states.list":{}}""", 65));
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":[{{items}}]}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("items[64]: there are more than 64 items that the gateway runs", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
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
        await play.Emulator.ControlAsync("pause"); // so that the request is there in time
        var now = (await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64();
        var asked = play.SendAsync(HttpMethod.Post, "/v2/batch", $$$"""{"at":{{{now + 60}}},"items":[{"read":{"location":"0x02000008","type":"u32"}},{"register":"r99"},{"reset":true}]}""");
        await Eventually.Is(() => asked.IsCompleted || play.Gateway.Emulators.First.InFlight > 0);
        await play.Emulator.ControlAsync("resume");
        var answer = await asked;
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
    [InlineData("""{"items":[{"states.list":{}},{"reset":true}]}""", "items[1]: reset comes before the items that the gateway runs")]
    [InlineData("""{"items":[{"states.get":{}}]}""", "items[0]: states.get: name is missing")]
    [InlineData("""{"items":[{"wait.until":{"frames":1}}]}""", "items[0]: wait.until cannot be an item: it takes frames")]
    [InlineData("""{"items":[{"states.save":{"name":"a"}}]}""", "items[0]: states.save cannot be an item: the gateway runs it, and it changes something")]
    [InlineData("""{"items":[{"clock.set":{"mode":"host"}}]}""", "items[0]: clock.set cannot be an item: the clock is set between frames by a request of its own (PUT /v2/clock); send it before the batch")]
    [InlineData("""{"items":[{"events.stream":{}}]}""", "items[0]: events.stream cannot be an item: only HTTP has it")]
    [InlineData("""{"items":[{"keys.tap":{"keys":["A"]}}]}""", "items[0]: keys.tap is the item tap")]
    [InlineData("""{"items":[{"tap":{"keys":["A"],"wait":true}}]}""", "wait=true")]
    public async Task Batch_ThatCannotBe_IsRefused(string body, string expected)
    {
        var play = await shared.PlayAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/batch", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }
}
