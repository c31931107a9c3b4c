using System.Net;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Tests.Operations.Cartridge;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Recordings;

public sealed class RecordingOperationsTests
{
    private const string Header = """{"recording":1,"title":"MGBABRIDGE","crc32":0,"frame":10,"ranges":["wram:0x0/16"],"keys":"","state":"AAAA"}""";

    [Fact]
    public async Task Recording_PlayedAgain_IsTheSameUntilAKeyIsAnother()
    {
        // slowly: a picture that comes later than its frame is not recorded
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(framesPerSecond: 15));
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["Up"]}""");
        await play.WaitAsync(3);
        var id = (await RecordAsync(play, """{"hashEvery":10}""")).GetProperty("id").GetString();
        await play.WaitAsync(1); // a key pressed in the recording's first frame would belong to its first line
        await play.SendAsync(HttpMethod.Post, "/v2/keys/sequence", """{"sequence":"A 1, wait 3, B 1, A 1, wait 1, A+Right 7, wait 5, L 1, R 1","gap":1,"wait":true}""");
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["Down"]}""");
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":[]}""");
        await play.WaitAsync(70);
        await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["Start"],"frames":2,"wait":true}""");
        var stopped = await StopAsync(play, id);
        Assert.Equal("stopped", stopped.GetProperty("ended").GetString());
        Assert.InRange(stopped.GetProperty("hashes").GetInt32(), 3, 100);

        var file = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        var lines = file.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => JsonNode.Parse(line)!).ToArray();
        Assert.Equal("Up", (string?)lines[0]["keys"]);
        Assert.Null(lines[0]["camera"]); // a window, which has none, plays it again, too
        Assert.Equal("stopped", (string?)lines[^1]["end"]);
        var same = await ReplayAsync(play, file);
        Assert.True(same.GetProperty("same").GetBoolean(), same.GetRawText());
        Assert.Equal(
            (stopped.GetProperty("last").GetInt64() - stopped.GetProperty("frame").GetInt64(), stopped.GetProperty("inputs").GetInt32(), stopped.GetProperty("hashes").GetInt32()),
            (same.GetProperty("frames").GetInt64(), same.GetProperty("inputs").GetInt32(), same.GetProperty("hashes").GetInt32()));

        // another key in the first frame of Start: the ROM counts it, and the first hash behind it says so
        var press = Array.FindIndex(lines, line => (string?)line["keys"] == "Start");
        lines[press]["keys"] = "Select";
        var other = await ReplayAsync(play, string.Join('\n', lines.Select(line => line.ToJsonString())));
        var divergence = other.GetProperty("divergence");
        var first = lines.First(line => line["hash"] is not null && (long)line["frame"]! > (long)lines[press]["frame"]!);
        Assert.Equal((long)first["frame"]!, divergence.GetProperty("frame").GetInt64());
        Assert.NotEqual(divergence.GetProperty("expected").GetString(), divergence.GetProperty("found").GetString());

        // a place for each key that was counted, or was not
        var places = divergence.GetProperty("places").EnumerateArray().Select(place => (place.GetProperty("location").GetString(), place.GetProperty("expected").GetString(), place.GetProperty("found").GetString())).ToArray();
        Assert.Contains(("wram:0x28", "00", "01"), places); // edges[2], Select
        Assert.Contains(("wram:0x2C", "01", "00"), places); // edges[3], Start
        Assert.Contains(lines, line => line["picture"] is not null);
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Fact]
    public async Task Recording_WithoutAFrameLimit_EndsAsItIsStopped()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(framesPerSecond: 0));
        for (var time = 0; time < 10; time++)
        {
            var id = (await RecordAsync(play, """{"hashEvery":36000}""")).GetProperty("id").GetString();
            Assert.Equal("stopped", (await StopAsync(play, id)).GetProperty("ended").GetString());
        }
    }

    [Fact]
    public async Task Recording_OfAnEmulatorThatIsSilentForAMoment_Continues()
    {
        await using var play = await Play.StartAsync();
        var id = (await RecordAsync(play, """{"hashEvery":10}""")).GetProperty("id").GetString();
        for (var time = 0; time < 2; time++)
        {
            await play.WaitAsync(25);
            await play.StopEmulatorAsync(TimeSpan.FromSeconds(1));
            await Eventually.IsAsync(async () => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetProperty("state").GetString() == "silent");
            await Task.Delay(300, TestContext.Current.CancellationToken); // what is asked meanwhile is not sent
            play.ContinueEmulator();
            await Eventually.IsAsync(async () => (await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetProperty("state").GetString() == "ready");
            await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"],"frames":2,"wait":true}""");
        }

        await play.WaitAsync(25);
        var stopped = await StopAsync(play, id);
        Assert.Equal("stopped", stopped.GetProperty("ended").GetString());
        Assert.Equal(4, stopped.GetProperty("inputs").GetInt32());
        var same = await ReplayAsync(play, await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken));
        Assert.True(same.GetProperty("same").GetBoolean(), same.GetRawText());
    }

    /// <summary>The game reads a tilt in each frame.</summary>
    [Fact]
    public async Task Recording_OfSensors_IsTheSameOnlyWithThem()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(game: "tilt.gb"));
        await play.SendAsync(HttpMethod.Put, "/v2/sensors", """{"tilt":[10,0]}""");
        await play.WaitAsync(3);
        var id = (await RecordAsync(play, """{"hashEvery":5}""")).GetProperty("id").GetString();
        await play.WaitAsync(6);
        await play.SendAsync(HttpMethod.Put, "/v2/sensors", """{"tilt":[-20,30]}""");
        await play.WaitAsync(12);
        var stopped = await StopAsync(play, id);
        Assert.Equal(1, stopped.GetProperty("inputs").GetInt32());
        var file = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await play.SendAsync(HttpMethod.Delete, "/v2/sensors");

        Assert.True((await ReplayAsync(play, file)).GetProperty("same").GetBoolean());
        Assert.Equal("[0,0]", (await play.GetAsync("/v2/sensors")).GetProperty("tilt").GetRawText()); // they ended with the replay
        Assert.False((await ReplayAsync(play, file.Replace("-20000", "-19000", StringComparison.Ordinal))).GetProperty("same").GetBoolean());
        Assert.False((await ReplayAsync(play, file.Replace("\"tiltX\":10000", "\"tiltX\":0", StringComparison.Ordinal))).GetProperty("same").GetBoolean());
    }

    [Fact]
    public async Task Recording_OfACamera_IsTheSameOnlyWithItsPictures()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(game: "camera.gb"));
        var halves = SensorOperationsTests.Halves();
        using var first = await play.RawAsync(HttpMethod.Put, "/v2/sensors/camera", Play.Bytes(CameraPicture.ToPng(halves)));
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0xC10F/u8", """{"value":1}"""); // its last frames are in the recording
        await play.WaitAsync(3);
        var id = (await RecordAsync(play, """{"hashEvery":5}""")).GetProperty("id").GetString();
        await play.WaitAsync(40);
        using var second = await play.RawAsync(HttpMethod.Put, "/v2/sensors/camera", Play.Bytes(CameraPicture.ToPng([.. halves.Reverse()])));
        await play.WaitAsync(12);
        Assert.Equal(1, (await StopAsync(play, id)).GetProperty("inputs").GetInt32());
        var file = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await play.SendAsync(HttpMethod.Delete, "/v2/sensors");

        Assert.Equal(2, file.Split("\"camera\":\"iVBOR").Length - 1);
        Assert.True((await ReplayAsync(play, file)).GetProperty("same").GetBoolean());
        Assert.False((await play.GetAsync("/v2/sensors")).GetProperty("camera").GetBoolean()); // it ended with the replay
    }

    [Fact]
    public async Task Recording_WithAClock_IsTheSameUnderAnotherOne()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync(framesPerSecond: 0, game: "machine.gb"));
        await play.SendAsync(HttpMethod.Put, "/v2/clock", """{"mode":"emulated","time":"2026-01-01T23:59:00"}""");
        await play.WaitAsync(600);
        var id = (await RecordAsync(play, """{"hashEvery":300}""")).GetProperty("id").GetString();
        await play.WaitAsync(6_000);
        await StopAsync(play, id);
        var file = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await play.SendAsync(HttpMethod.Put, "/v2/clock", """{"mode":"fixed","time":"2031-01-01T12:00:00"}""");

        Assert.True((await ReplayAsync(play, file)).GetProperty("same").GetBoolean());
        Assert.Equal(("fixed", "2031-01-01T12:00:00"), ((await play.GetAsync("/v2/clock")).GetProperty("mode").GetString(), (await play.GetAsync("/v2/clock")).GetProperty("time").GetString()));
    }

    [Fact]
    public async Task Recording_WithCheats_AppliesTheseAndNoOthersInAReplay()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"seven","codes":"02010000:07"}""");
        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"off","codes":"02010001:07","enabled":false}""");
        var id = (await RecordAsync(play, """{"hashEvery":5}""")).GetProperty("id").GetString();
        await play.WaitAsync(12);
        await StopAsync(play, id);
        var file = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await play.SendAsync(HttpMethod.Delete, "/v2/cheats/seven");
        await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"eight","codes":"02010002:08"}""");
        await play.WaitAsync(2);

        Assert.True((await ReplayAsync(play, file)).GetProperty("same").GetBoolean());

        Assert.Equal(
            [("off", false), ("eight", false), ("seven", true)],
            (await play.GetAsync("/v2/cheats")).GetProperty("cheats").EnumerateArray().Select(cheat => (cheat.GetProperty("name").GetString(), cheat.GetProperty("enabled").GetBoolean())));

        var ended = (await RecordAsync(play, "{}")).GetProperty("id").GetString();
        await play.SendAsync(HttpMethod.Put, "/v2/cheats/eight", """{"enabled":true}""");
        await play.WaitAsync(2);
        Assert.Equal("cheat", (await StopAsync(play, ended)).GetProperty("ended").GetString());
    }

    [Fact]
    public async Task Recording_RightAfterAChangeOfCheats_BeginsWithIt()
    {
        await using var play = await Play.StartAsync();
        for (var time = 0; time < 20; time++)
        {
            await play.SendAsync(HttpMethod.Put, "/v2/cheats", """{"name":"seven","codes":"02010000:07"}""");
            var id = (await RecordAsync(play, "{}")).GetProperty("id").GetString();
            Assert.Equal("stopped", (await StopAsync(play, id)).GetProperty("ended").GetString());
            await play.AskGatewayAsync(HttpMethod.Delete, $"/v2/recordings/{id}");
        }
    }

    [Fact]
    public async Task Recording_OfMemoryThatIsNotThere_IsRefused()
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/recordings", """{"ranges":["nowhere:0x0/4"]}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("nowhere", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, (await play.AskGatewayAsync(HttpMethod.Get, "/v2/recordings")).GetProperty("recordings").GetArrayLength());
    }

    [Fact]
    public async Task Recording_WhoseGameIsReset_Ends()
    {
        await using var play = await Play.StartAsync();
        var id = (await RecordAsync(play, "{}")).GetProperty("id").GetString();
        await play.SendAsync(HttpMethod.Post, "/v2/reset");
        for (var ended = ""; ended != "game.reset";)
        {
            var list = (await play.AskGatewayAsync(HttpMethod.Get, "/v2/recordings")).GetProperty("recordings");
            Assert.Equal(1, list.GetArrayLength());
            ended = list[0].TryGetProperty("ended", out var why) ? why.GetString()! : "";
        }

        await play.AskGatewayAsync(HttpMethod.Delete, $"/v2/recordings/{id}");
        await play.SendAsync(HttpMethod.Get, $"/v2/recordings/{id}", status: HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Recordings_BeyondTheLimit_AreRefusedUntilOneIsForgotten()
    {
        await using var play = await Play.StartAsync();
        var first = (await RecordAsync(play, "{}")).GetProperty("id").GetString();
        for (var count = 1; count < 16; count++)
        {
            await RecordAsync(play, """{"ranges":["0x02000000/16"],"hashEvery":600}""");
        }

        await play.SendAsync(HttpMethod.Post, "/v2/recordings", "{}", status: HttpStatusCode.InsufficientStorage);
        await play.AskGatewayAsync(HttpMethod.Delete, $"/v2/recordings/{first}");
        await RecordAsync(play, "{}");
    }

    [Theory]
    [InlineData("", 400, "The first line")]
    [InlineData(Header, 409, "This is MGBABRIDGE")]
    public async Task File_ThatCannotBePlayed_IsRefused(string file, int status, string expected)
    {
        await using var play = await Play.StartAsync();
        using var response = await play.RawAsync(HttpMethod.Post, "/v2/replay", new StringContent(file, Encoding.UTF8, "application/jsonl"));
        Assert.Equal(status, (int)response.StatusCode);
        Assert.Contains(expected, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"hashEvery":0}""")]
    [InlineData("""{"ranges":[]}""")]
    [InlineData("""{"ranges":["wram"]}""")]
    [InlineData("""{"ranges":["wram:0x0/2000000"]}""")]
    public async Task Recording_ThatCannotBe_IsRefused(string body)
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/recordings", body, status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Replay_WhileKeysAreHeldOrTheLeaseIsTaken_IsRefused()
    {
        await using var play = await Play.StartAsync();
        var id = (await RecordAsync(play, """{"hashEvery":5}""")).GetProperty("id").GetString();
        await play.WaitAsync(10);
        await StopAsync(play, id);
        var file = await play.Client.GetStringAsync($"/v2/recordings/{id}", TestContext.Current.CancellationToken);
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""");
        await play.WaitAsync(2);
        using var held = await play.RawAsync(HttpMethod.Post, "/v2/replay", new StringContent(file));
        Assert.Equal(HttpStatusCode.Conflict, held.StatusCode);
        await play.SendAsync(HttpMethod.Put, "/v2/keys", """{"keys":[]}""");
        await play.WaitAsync(2);
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "other");
        using var leased = await play.RawAsync(HttpMethod.Post, "/v2/replay", new StringContent(file));
        Assert.Equal(HttpStatusCode.Locked, leased.StatusCode);
    }

    private static Task<JsonElement> RecordAsync(Play play, string body) => play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", body);

    private static Task<JsonElement> StopAsync(Play play, string? id) => play.AskGatewayAsync(HttpMethod.Post, $"/v2/recordings/{id}/stop");

    private static Task<JsonElement> ReplayAsync(Play play, string file) => play.SendAsync(HttpMethod.Post, "/v2/replay", file);
}
