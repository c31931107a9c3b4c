using System.Buffers.Binary;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Vector;

public sealed class VectorOperationsTests
{
    private const string Reads = """[{"location":"0x02000008","type":"u32"},{"location":"0x02000088","type":"s16"}]""";
    private const string KeyMask = """[{"location":"0x0200000C","type":"u32"}]""";
    private const string Start = """{"emulator":"a","reset":true},{"emulator":"b","reset":true}""";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Step_OfTwoEmulators_PacksWhatBothReached()
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");

        var first = await StepAsync(gateway, $$"""{"rows":[{{Start}}],"frames":3,"reads":{{Reads}},"state":"start"}""");
        var second = await StepAsync(gateway, $$"""{"rows":[{"emulator":"b","keys":"A+Up","frames":5},{"emulator":"a"}],"frames":2,"reads":{{Reads}}}""");

        Assert.Equal([200, 200], first.Statuses);
        Assert.Equal(first.Values[0], first.Values[1]);
        Assert.Equal([first.Values[0][0] + 5, first.Values[0][0] + 2], [second.Values[0][0], second.Values[1][0]]);
        Assert.Equal([first.Frames[1] + 5, first.Frames[0] + 2], second.Frames);
        Assert.All(second.Values, values => Assert.Equal(values[0] % 2 == 1 ? 1234 : -1234, values[1]));
        Assert.Equal([first.Epochs[1], first.Epochs[0]], second.Epochs);
        var keys = await StepAsync(gateway, $$"""{"rows":[{"emulator":"b","keys":["A","Up"]},{"emulator":"a"}],"reads":{{KeyMask}}}""");
        Assert.Equal([65, 0], keys.Values.Select(values => values[0]));
    }

    [Fact]
    public async Task Reset_AsOftenAsWanted_ContinuesFromTheSameStateWithTheSamePicture()
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");
        var body = $$$"""{"rows":[{{{Start}}}],"frames":4,"reads":{{{Reads}}},"pixels":{"grey":true,"width":84,"height":84},"state":"start"}""";

        var first = await StepAsync(gateway, body);
        await StepAsync(gateway, """{"rows":[{"emulator":"a","keys":"A"},{"emulator":"b","keys":"B"}],"frames":77}""");
        var second = await StepAsync(gateway, body);

        Assert.Equal(2 * 84 * 84, first.Pixels.Length);
        Assert.Equal(first.Pixels, second.Pixels);
        Assert.Equal(first.Values, second.Values);
        Assert.Equal(first.Pixels[..7056], first.Pixels[7056..]);
        Assert.True(first.Pixels.Distinct().Count() > 1);
    }

    [Fact]
    public async Task Row_ThatCannotRun_SaysWhyAndTheOthersRun()
    {
        await using var gateway = await StartAsync("test.gba", "test.gb");

        var without = await StepAsync(gateway, """{"rows":[{"emulator":"a"},{"emulator":"nobody"},{"emulator":"b","reset":true}],"state":"start","deadlineMs":60000}""");
        Assert.Equal([409, 404, 409], without.Statuses);
        Assert.Equal(["rejected", "no-such-emulator", "other-game"], without.Failures.Select(failure => failure.GetProperty("problem").GetString()));
        Assert.Equal("no-lease", without.Failures[0].GetProperty("code").GetString());

        var mixed = await StepAsync(gateway, """{"rows":[{"emulator":"a","reset":true},{"emulator":"b"}],"pixels":{"grey":true},"state":"start"}""");
        Assert.Equal(200, mixed.Statuses[0]);
        Assert.Equal(2 * 240 * 160, mixed.Pixels.Length);
        Assert.Equal(0, mixed.Pixels[(240 * 160)..].Max());
    }

    [Fact]
    public async Task Rows_WithPicturesOfDifferentSizes_NeedASize()
    {
        await using var gateway = await StartAsync("test.gba", "test.gb");
        await gateway.SendAsync(HttpMethod.Post, "/i/b/v2/states", """{"name":"other"}""");
        await StepAsync(gateway, """{"rows":[{"emulator":"a","reset":true}],"state":"start"}""");
        await StepAsync(gateway, """{"rows":[{"emulator":"b","reset":true}],"state":"other"}""");

        var own = await StepAsync(gateway, """{"rows":[{"emulator":"a"},{"emulator":"b"}],"pixels":{}}""");
        var same = await StepAsync(gateway, """{"rows":[{"emulator":"a"},{"emulator":"b"}],"pixels":{"width":100,"height":90}}""");

        Assert.Equal([200, 409], own.Statuses);
        Assert.Equal("other-size", own.Failures[0].GetProperty("problem").GetString());
        Assert.Equal([200, 200], same.Statuses);
        Assert.Equal(2 * 100 * 90 * 3, same.Pixels.Length);
    }

    [Fact]
    public async Task Row_WhoseGameCrashed_RunsAgainFromItsState()
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");
        await gateway.SendAsync(HttpMethod.Put, "/i/a/v2/memory/0x02000018/u32", """{"value":4}"""); // the test game jumps to an invalid address
        await Eventually.IsAsync(async () => (await gateway.GetAsync("/i/a/v2/status")).GetProperty("state").GetString() == "crashed");
        var page = ScrapedPage.Parse(await gateway.Client.GetStringAsync("/metrics", Cancelled));
        Assert.Equal(1, page.Value("mgba_emulator_state", ("mgba_emulator", "a"), ("mgba_state", "crashed")));
        Assert.Equal(1, page.Value("mgba_emulator_up", ("mgba_emulator", "a")));

        var crashed = await StepAsync(gateway, """{"rows":[{"emulator":"a"}],"frames":1}""");
        Assert.Equal("not-running", crashed.Failures[0].GetProperty("code").GetString());
        var again = await StepAsync(gateway, $$"""{"rows":[{{Start}}],"frames":3,"reads":{{Reads}},"state":"start"}""");
        Assert.Equal([200, 200], again.Statuses);
        Assert.Equal(again.Values[1], again.Values[0]);
    }

    [Fact]
    public async Task Row_AtItsDeadline_IsLate()
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");
        await StepAsync(gateway, $$"""{"rows":[{{Start}}],"state":"start","deadlineMs":60000}""");

        var step = await StepAsync(gateway, """{"rows":[{"emulator":"a","frames":36000},{"emulator":"b"}],"deadlineMs":10}""");
        Assert.True(step.Statuses[0] is 503 or 504, "36000 frames take seconds");
        Assert.Equal("a", step.Failures[0].GetProperty("emulator").GetString());

        var again = await StepAsync(gateway, $$"""{"rows":[{{Start}}],"state":"start","reads":{{Reads}},"deadlineMs":60000}""");
        Assert.Equal(again.Values[0], again.Values[1]);
    }

    [Theory]
    [InlineData("""{"rows":[]}""", "1 to 256")]
    [InlineData("""{"rows":[{"emulator":"a"},{"emulator":"a"}]}""", "two rows")]
    [InlineData("""{"rows":[{"emulator":"a","reset":true}]}""", "no state")]
    [InlineData("""{"rows":[{"emulator":"a","keys":"Z"}]}""", "rows[0]")]
    [InlineData("""{"rows":[{"emulator":"a"}],"frames":36001}""", "36000")]
    [InlineData("""{"rows":[{"emulator":"a"}],"deadlineMs":1}""", "10 to 600000")]
    [InlineData("""{"rows":[{"emulator":"a"}],"reads":[{"location":"nowhere"}]}""", "reads[0]")]
    [InlineData("""{"rows":[{"emulator":"a"}],"pixels":{"width":257}}""", "256")]
    [InlineData("""{"rows":[{"emulator":"a"}],"scenario":""}""", "scenario")]
    public async Task Request_ThatIsWrong_IsRefusedAsAWhole(string body, string expected)
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        using var response = await gateway.Client.PostAsync("/v2/vector", new StringContent(body, Encoding.UTF8, "application/json"), Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains(expected, await response.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
    }

    [Fact]
    public async Task State_ThatIsNotKept_IsNotFound()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        using var response = await gateway.Client.PostAsync("/v2/vector", new StringContent("""{"rows":[{"emulator":"a","reset":true}],"state":"none"}""", Encoding.UTF8, "application/json"), Cancelled);
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        Assert.Contains("no-such-state", await response.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
    }

    // the test game counts frames at 8 and holds its keys at 0x0C; a press of A adds 17 to the score at 0x94
    [Fact]
    public async Task Scenario_OfAStep_GivesRewardsEndsAndVariables()
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");
        var loaded = await gateway.SendAsync(HttpMethod.Put, "/v2/scenarios/press", """
            {"data":{"info":{"score":{"address":33554580,"type":"<u4"},"frames":{"address":33554440,"type":"<u3"},"keys":{"address":33554444,"type":"<u2"}}},
             "scenario":{"reward":{"variables":{"score":{"reward":2.0},"keys":{"measurement":"absolute","op":"zero","reward":-0.5}}},
                         "done":{"condition":"all","variables":{"keys":{"op":"equal","reference":1},"score":{"measurement":"delta","op":"zero"}}},
                         "actions":[[[],["A"],["B"]]]}}
            """);
        Assert.Equal(["score", "frames", "keys"], loaded.GetProperty("variables").EnumerateArray().Select(one => one.GetProperty("name").GetString()));
        Assert.Equal("0x02000094", loaded.GetProperty("variables")[0].GetProperty("location").GetString());

        var first = await StepAsync(gateway, $$$"""{"rows":[{{{Start}}},{"emulator":"nobody"}],"state":"start","scenario":"press","frames":2,"reads":{{{KeyMask}}},"pixels":{"grey":true,"width":2,"height":2}}""");
        Assert.Equal([200, 200, 404], first.Statuses);
        Assert.Equal([-0.5, -0.5, 0], first.Rewards);
        Assert.Equal([false, false, false], first.Ends);
        Assert.Equal([0, 0, 0, 0], first.Values[2]);
        var (score, frames) = (first.Values[0][1], first.Values[0][2]);

        // the keys of b are more than the actions allow
        const string Press = """{"rows":[{"emulator":"a","keys":"A"},{"emulator":"b","keys":"A+B"}],"scenario":"press","frames":3}""";
        var pressed = await StepAsync(gateway, Press);
        var held = await StepAsync(gateway, Press);

        Assert.Equal([34, -0.5], pressed.Rewards);
        Assert.Equal([0, -0.5], held.Rewards);
        Assert.Equal([false, false], pressed.Ends);
        Assert.Equal([true, false], held.Ends);
        Assert.Equal([score + 17, frames + 6, 1], held.Values[0]);
        Assert.Equal([score, frames + 6, 0], held.Values[1]);

        var without = await StepAsync(gateway, """{"rows":[{"emulator":"a","keys":"A"}]}""");
        Assert.Empty(without.Rewards);
        Assert.Equal("press", (await gateway.SendAsync(HttpMethod.Get, "/v2/scenarios")).GetProperty("scenarios")[0].GetProperty("name").GetString());
        await gateway.SendAsync(HttpMethod.Delete, "/v2/scenarios/press");
        using var gone = await gateway.Client.PostAsync("/v2/vector", new StringContent("""{"rows":[{"emulator":"a"}],"scenario":"press"}""", Encoding.UTF8, "application/json"), Cancelled);
        Assert.Equal(HttpStatusCode.NotFound, gone.StatusCode);
        Assert.Contains("no-such-scenario", await gone.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Scenario_AsYaml_HasTheNamesOfTheGame()
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");
        using var named = await gateway.Client.PutAsync("/i/a/v2/properties", new StringContent("""{"properties":{"score":{"type":"u32","at":"0x02000094"}}}"""), Cancelled);
        Assert.Equal(HttpStatusCode.OK, named.StatusCode);
        var loaded = await gateway.SendAsync(HttpMethod.Put, "/v2/scenarios/press", """{"emulator":"b","yaml":"variables: {points: score}\nreward: change(points) - 0.5\ndone: change(points) > 0\nactions: [['', A]]"}""");
        Assert.Equal("""[{"name":"points","location":"0x02000094","type":"<u4"}]""", loaded.GetProperty("variables").GetRawText());

        await StepAsync(gateway, $$"""{"rows":[{{Start}}],"state":"start"}""");
        var steps = new List<(double Reward, bool IsOver)>();
        foreach (var keys in (string[])["A", "B", "A", ""])
        {
            var answer = await StepAsync(gateway, $$"""{"rows":[{"emulator":"a","keys":"{{keys}}"}],"scenario":"press","frames":3}""");
            steps.Add((answer.Rewards[0], answer.Ends[0]));
        }

        Assert.Equal([(16.5, true), (-0.5, false), (16.5, true), (-0.5, false)], steps);
    }

    [Theory]
    [InlineData("""{"yaml":"variables: {points: scor}","emulator":"b"}""", HttpStatusCode.BadRequest, "yaml: Line 1, column 21: This game has no property and no symbol scor.")]
    [InlineData("""{"yaml":"variables: {}","emulator":"c"}""", HttpStatusCode.NotFound, "No emulator has the id c.")]
    [InlineData("""{"yaml":"variables: {}","data":{}}""", HttpStatusCode.BadRequest, "A scenario is yaml, or data and scenario.")]
    [InlineData("""{"data":{}}""", HttpStatusCode.BadRequest, "A scenario is yaml, or data and scenario.")]
    [InlineData("{}", HttpStatusCode.BadRequest, "A scenario is yaml, or data and scenario.")]
    public async Task Scenario_ThatCannotBeRead_IsRefused(string body, HttpStatusCode expected, string reason)
    {
        await using var gateway = await StartAsync("test.gba", "test.gba");
        using var response = await gateway.Client.PutAsync("/v2/scenarios/wrong", new StringContent(body, Encoding.UTF8, "application/json"), Cancelled);
        Assert.Equal(expected, response.StatusCode);
        Assert.Contains(reason, await response.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Scenario_ThatIsWrong_IsRefusedWithTheLineOfItsDocument()
    {
        await using var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        const string Body = "{\"data\": {\"info\":{}}, \"scenario\": {\n  \"reward\": {\"scrip\": \"lua:f\"}}}";
        using var response = await gateway.Client.PutAsync("/v2/scenarios/wrong", new StringContent(Body, Encoding.UTF8, "application/json"), Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        var problem = await response.Content.ReadAsStringAsync(Cancelled);
        Assert.Contains("scenario.json: Line 2, column 23: reward.scrip: There is no such member. Did you mean script?", problem, StringComparison.Ordinal);
    }

    private static async Task<OwnedGateway> StartAsync(string one, string other)
    {
        var gateway = await OwnedGateway.StartAsync(0, ("Emulators:0:Port", "1"));
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"{{one}}","id":"a","fps":0}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"{{other}}","id":"b","fps":0}""");
        await Eventually.IsAsync(async () => (await gateway.SendAsync(HttpMethod.Get, "/i/a/v2/memory/0x02000000/u32")).GetProperty("value").GetInt64() == 0x3154424D); // the game runs
        await gateway.SendAsync(HttpMethod.Post, "/i/a/v2/states", """{"name":"start"}""");
        return gateway;
    }

    private static async Task<Message> StepAsync(OwnedGateway gateway, string body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/v2/vector") { Content = new StringContent(body, Encoding.UTF8, "application/json"), Headers = { { "Mgba-Holder", "learner" } } };
        using var response = await gateway.Client.SendAsync(request, Cancelled);
        var bytes = await response.Content.ReadAsByteArrayAsync(Cancelled);
        Assert.True(response.StatusCode == HttpStatusCode.OK, Encoding.UTF8.GetString(bytes));
        Assert.Equal("application/octet-stream", response.Content.Headers.ContentType?.MediaType);
        return Message.Of(bytes);
    }

    /// <summary>The message as docs/learning.md describes it.</summary>
    private sealed record Message(
        long[] Frames, long[][] Values, double[] Rewards, uint[] Epochs, int[] Statuses, bool[] Ends, byte[] Pixels, IReadOnlyList<JsonElement> Failures)
    {
        public static Message Of(byte[] bytes)
        {
            Assert.Equal("MGV1"u8, bytes.AsSpan(0, 4));
            int Head(int index) => BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(4 * index));
            var (rows, values, picture, details) = (Head(1), Head(2), Head(3) * Head(4) * Head(5), Head(6));
            var judged = Head(7) == 0 ? 0 : rows;
            var at = 32;
            long Long() => BinaryPrimitives.ReadInt64LittleEndian(bytes.AsSpan((at += 8) - 8));
            uint Word() => BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan((at += 4) - 4));
            T[] All<T>(int count, Func<T> read) => [.. Enumerable.Range(0, count).Select(_ => read())];
            var frames = All(rows, Long);
            var numbers = All(rows, () => All(values, Long));
            var rewards = All(judged, () => BitConverter.Int64BitsToDouble(Long()));
            var epochs = All(rows, Word);
            var statuses = All(rows, () => (int)Word());
            var ends = All(judged, () => Word() != 0);
            Assert.Equal(bytes.Length, at + (rows * picture) + details);
            var failures = details == 0 ? [] : JsonDocument.Parse(bytes.AsMemory(bytes.Length - details)).RootElement.EnumerateArray().ToArray();
            return new Message(frames, numbers, rewards, epochs, statuses, ends, bytes[at..(at + (rows * picture))], failures);
        }
    }
}
