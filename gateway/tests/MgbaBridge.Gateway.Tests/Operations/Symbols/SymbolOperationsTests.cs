using System.Net;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Symbols;

/// <summary>Names of the test ROM's values, by docs/examples and the ROM's own symbols.</summary>
public sealed class SymbolOperationsTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const uint Pointed = 0x00BEEF00;

    [Fact]
    public async Task Values_ByName_BelongToOneFrame()
    {
        await using var play = await NamedAsync();
        for (var round = 0; round < 20; round++)
        {
            var answer = await play.SendAsync(HttpMethod.Post, "/v2/values", """{"names":["frames","node.value","box","box_x","node","edges[0]","score"]}""");
            var values = answer.GetProperty("values").EnumerateArray().Select(value => value.GetProperty("value")).ToArray();
            var frames = values[0].GetInt64();
            Assert.Equal(Pointed + (11 * frames), values[1].GetInt64());
            Assert.Equal((frames % 224, frames % 224), (values[2].GetInt64(), values[3].GetInt64()));
            Assert.Equal(("NODE", 0x020000E0), (values[4].GetProperty("tag").GetString(), values[4].GetProperty("next").GetInt64()));
            Assert.Equal((0, 1_000), (values[5].GetInt64(), values[6].GetInt64()));
            await play.WaitAsync(3);
        }
    }

    [Fact]
    public async Task Values_OfEveryForm_AreWrittenByName()
    {
        await using var play = await NamedAsync();
        Assert.Equal("HELLO MGBA", await ValueAsync(play, "greeting"));
        Assert.Equal("hello mgba", await ValueAsync(play, "greeting.quiet"));
        await WriteAsync(play, "greeting.quiet", "\"blog\"");
        Assert.Equal("BLOG", await ValueAsync(play, "greeting"));
        await WriteAsync(play, "edges[9]", "77");
        Assert.Equal("[0,0,0,0,0,0,0,0,0,77]", await ValueAsync(play, "edges"));
        await WriteAsync(play, "edges", "[1,2,3,4,5,6,7,8,9,10]");
        Assert.Equal("5", await ValueAsync(play, "edges[4]"));
        Assert.Equal("[1,2]", await ValueAsync(play, "mbt_block+0x20?type=u32&count=2"));
        await WriteAsync(play, "mbt_block+0x1000?type=u16&endian=big&count=2", "[258,-2]");
        Assert.Equal(0xFEFF0201, await play.ReadAsync(Play.Scratch));
        Assert.Equal("AQL//g==", await ValueAsync(play, "mbt_block+0x1000?type=bytes&length=4"));
    }

    [Fact]
    public async Task Values_BehindPointers_AreWrittenWhereTheyLead()
    {
        await using var play = await NamedAsync();
        // first: 0, then a chain of two in scratch memory
        await MapAsync(play, """{"properties":{"far":{"type":"u16","at":"wram:0x1000","chain":[8,2]},"far.list":{"type":"u8","count":2,"at":"wram:0x1000","chain":[8,2]}}}""");
        var nowhere = await play.GetAsync("/v2/values/far");
        Assert.False(nowhere.TryGetProperty("value", out _) || nowhere.TryGetProperty("location", out _));
        var refused = await play.SendAsync(HttpMethod.Put, "/v2/values/far", """{"value":1}""", status: HttpStatusCode.Conflict);
        Assert.Contains("is 0", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02001000/u32", $$"""{"value":{{0x02001100}}}""");
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02001108/u32", $$"""{"value":{{0x02001200}}}""");
        var written = await play.SendAsync(HttpMethod.Put, "/v2/values/far", """{"value":4660}""");
        Assert.Equal("0x02001202", written.GetProperty("location").GetString());
        Assert.Equal(0x1234, await play.ReadAsync("0x02001202", "u16"));
        Assert.Equal("18", await ValueAsync(play, "far.list[1]"));
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02001000/u32", $$"""{"value":{{0x02001300}}}""");
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02001308/u32", $$"""{"value":{{0x02001400}}}""");
        await WriteAsync(play, "far.list", "[7,8]");
        Assert.Equal((0x1234, 0x0807), (await play.ReadAsync("0x02001202", "u16"), await play.ReadAsync("0x02001402", "u16")));
    }

    [Theory]
    [InlineData("", "GET /v2/properties lists")]
    [InlineData("/i/1", "GET /i/1/v2/properties lists")]
    public async Task NextStep_OfARequestToOneEmulator_IsForThatOne(string prefix, string next)
    {
        var play = await shared.PlayAsync(NamedAsync);
        var problem = await play.SendAsync(HttpMethod.Get, $"{prefix}/v2/values/nope", status: HttpStatusCode.NotFound);
        Assert.Contains(next, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal("properties.list", problem.GetProperty("next").GetString());
    }

    [Fact]
    public async Task Names_OverWebSocket_HaveTheBodiesOfHttp()
    {
        await using var play = await NamedAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var symbols = await socket.DoAsync("symbols.list", """{"contains":"_X","limit":1}""");
        Assert.Equal(("elf", "box_x"), (symbols.GetProperty("format").GetString(), symbols.GetProperty("symbols")[0].GetProperty("name").GetString()));
        Assert.Equal(
            (await play.GetAsync("/v2/properties")).GetProperty("properties").GetRawText(),
            (await socket.DoAsync("properties.list")).GetProperty("properties").GetRawText());
        await socket.DoAsync("values.write", """{"name":"greeting.quiet","value":"blog"}""");
        Assert.Equal("BLOG", (await socket.DoAsync("values.read", """{"name":"greeting"}""")).GetProperty("value").GetString());
        await socket.DoAsync("values.write", """{"name":"mbt_block+0x1000","type":"u16","endian":"big","count":2,"value":[258,-2]}""");
        Assert.Equal("AQL//g==", (await socket.DoAsync("memory.readValue", """{"location":"0x02001000","type":"bytes","length":4}""")).GetProperty("value").GetString());
        await socket.DoAsync("memory.writeValue", """{"location":"0x02001000","type":"text","length":4,"value":"Hi"}""");
        var values = (await socket.DoAsync("values.readMany", """{"names":["score","mbt_block+0x1000"]}""")).GetProperty("values");
        Assert.Equal((1_000, 0x6948), (values[0].GetProperty("value").GetInt64(), values[1].GetProperty("value").GetInt64()));
        foreach (var (operation, body, name, detail) in new[]
        {
            ("values.read", """{"name":"nope"}""", "no-such-name", "no property and no symbol nope"),
            ("values.read", """{"name":"box_x","type":"text"}""", "bad-request", "length is"),
            ("memory.readValue", """{"location":"0x02001000","type":"u8","count":-1}""", "bad-request", "count is -1; expected an integer from 1"),
            ("symbols.list", """{"limit":10001}""", "bad-request", "limit is 10001; expected an integer from 0 to 10000"),
        })
        {
            var problem = (await socket.RequestAsync(operation, body)).GetProperty("problem");
            Assert.EndsWith(name, problem.GetProperty("type").GetString(), StringComparison.Ordinal);
            Assert.Contains(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        Assert.Equal(0, (await socket.DoAsync("symbols.delete")).GetProperty("count").GetInt32());
        Assert.Empty((await socket.DoAsync("properties.delete")).GetProperty("properties").EnumerateArray());
    }

    [Fact]
    public async Task Constants_OfTheGame_AreReadAndNeverPlaces()
    {
        await using var play = await NamedAsync();
        var loaded = await play.SendAsync(HttpMethod.Put, "/v2/symbols", "; File generated by rgblink\n00:C000 wX\nBOOT:0000 Start\n0a NUM_ITEMS\nfffffffe MINUS_TWO\n");
        Assert.Equal((3, """[{"what":"symbols of the boot ROM","count":1}]"""), (loaded.GetProperty("count").GetInt32(), loaded.GetProperty("leftOut").GetRawText()));
        Assert.Equal("""{"name":"NUM_ITEMS","value":10}""", loaded.GetProperty("symbols").EnumerateArray().Last().GetRawText());
        Assert.Equal(("10", "-2"), (await ValueAsync(play, "NUM_ITEMS"), await ValueAsync(play, "MINUS_TWO")));
        var values = await play.SendAsync(HttpMethod.Post, "/v2/values", """{"names":["NUM_ITEMS","score","MINUS_TWO"]}""");
        Assert.Equal([10, 1_000, -2], values.GetProperty("values").EnumerateArray().Select(value => value.GetProperty("value").GetInt32()));
        foreach (var (method, path, body) in new[]
        {
            (HttpMethod.Put, "/v2/values/NUM_ITEMS", """{"value":5}"""),
            (HttpMethod.Get, "/v2/values/NUM_ITEMS+0x2", null),
            (HttpMethod.Put, "/v2/freezes", """{"location":"NUM_ITEMS","value":1}"""),
        })
        {
            var problem = await play.SendAsync(method, path, body, status: HttpStatusCode.BadRequest);
            Assert.Contains("NUM_ITEMS is a constant, 10, and not a place in memory.", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("u8 0x02000000 == LETTER and score > NUM_ITEMS", true, "[77,1000]")]
    [InlineData("LETTER < score", true, "[1000]")]
    [InlineData("LETTER == 77 and LETTER > NUM_ITEMS and score != 0", true, "[1000]")]
    [InlineData("LETTER <= NUM_ITEMS and score != 0", false, "[1000]")]
    [InlineData("score == NUM_ITEMS", false, "[1000]")]
    [InlineData("score > score", false, "[1000,1000]")]
    public async Task Constants_InConditions_AreNumbers(string condition, bool met, string values)
    {
        await using var play = await NamedAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/symbols", "; File generated by rgblink\n00:C000 wX\n0a NUM_ITEMS\n4d LETTER\n");
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/wait", $$"""{"condition":"{{condition}}","frames":1}""");
        Assert.Equal((met, values), (answer.GetProperty("met").GetBoolean(), answer.GetProperty("values").GetRawText()));
        var fixedOne = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"condition":"LETTER == 77"}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("constants only", fixedOne.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Symbols_OfCpp_AreReadByTheirNames()
    {
        await using var play = await NamedAsync();
        await play.SendAsync(HttpMethod.Put, "/v2/symbols", "02000008 00000004 B (anonymous namespace)::frames\n02001000 00000001 B _ZN4game5stateE\n");
        await WriteAsync(play, "game::state", "77");
        Assert.Equal(("77", "77"), (await ValueAsync(play, "game::state"), await ValueAsync(play, "_ZN4game5stateE")));
        Assert.Equal(JsonValueKind.Number, (await play.GetAsync("/v2/values/(anonymous%20namespace)::frames")).GetProperty("value").ValueKind);
        var met = await play.SendAsync(HttpMethod.Post, "/v2/wait", """{"condition":"game::state == 77","frames":60}""");
        Assert.True(met.GetProperty("met").GetBoolean());
    }

    [Fact]
    public async Task Symbols_OfTheGame_AreListedAndForgotten()
    {
        await using var play = await NamedAsync();
        var some = await play.GetAsync("/v2/symbols?contains=_X&limit=1");
        Assert.Equal(("elf", 1, "box_x", "0x03000048", 4), (
            some.GetProperty("format").GetString(), some.GetProperty("count").GetInt32(), some.GetProperty("symbols")[0].GetProperty("name").GetString(),
            some.GetProperty("symbols")[0].GetProperty("location").GetString(), some.GetProperty("symbols")[0].GetProperty("size").GetInt32()));
        Assert.Equal(2, (await play.GetAsync("/v2/symbols?limit=2")).GetProperty("next").GetInt32());
        await play.SendAsync(HttpMethod.Delete, "/v2/symbols");
        Assert.Equal(0, (await play.GetAsync("/v2/symbols")).GetProperty("count").GetInt32());
        var problem = await play.SendAsync(HttpMethod.Get, "/v2/values/box", status: HttpStatusCode.NotFound);
        Assert.Contains("box_x", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Get, "/v2/values/box_x", status: HttpStatusCode.NotFound);
        await play.SendAsync(HttpMethod.Delete, "/v2/properties");
        await play.SendAsync(HttpMethod.Get, "/v2/values/score", status: HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Names_OfTheFolder_AreThereFromTheStart()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-names-").FullName;
        try
        {
            File.Copy(Repository.File("docs/examples/mgba-bridge-test.json"), Path.Combine(folder, "ours.json"));
            File.Copy(Repository.File("docs/examples/mgba-bridge-test.elf"), Path.Combine(folder, "52258cd4-ours.elf"));
            await using var play = await Play.StartAsync(("Symbols:Folder", folder));
            var both = (await play.SendAsync(HttpMethod.Post, "/v2/values", """{"names":["frames","box"]}""")).GetProperty("values");
            Assert.Equal(both[0].GetProperty("value").GetInt64() % 224, both[1].GetProperty("value").GetInt64());
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Maps_ThatAreWrong_ChangeNothing()
    {
        await using var play = await NamedAsync();
        var problem = await play.SendAsync(HttpMethod.Put, "/v2/properties", "{\n \"properties\": {\"hp\": {\"type\": \"u24\", \"at\": \"0\"}}}", status: HttpStatusCode.BadRequest);
        Assert.StartsWith("Line 2, column 32: properties.hp.type", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal("1000", await ValueAsync(play, "score"));
        using var refused = await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes("what is this\n"u8.ToArray()));
        Assert.Equal(HttpStatusCode.BadRequest, refused.StatusCode);
        Assert.NotEqual("", await ValueAsync(play, "box"));
    }

    [Theory]
    [InlineData("GET", "/v2/values/nope", "", 404, "no property and no symbol nope")]
    [InlineData("GET", "/v2/values/edges[10]", "", 404, "edges[10]")]
    [InlineData("GET", "/v2/values/box_x?type=u24", "", 400, "type is \"u24\"; expected u8")]
    [InlineData("GET", "/v2/values/box_x?type=text", "", 400, "length is 1 to 65536 bytes")]
    [InlineData("GET", "/v2/values/box_x?type=text&length=4&table=nope", "", 400, "no text table nope")]
    [InlineData("GET", "/v2/values/box_x?count=0", "", 400, "count is \"0\"; expected an integer from 1")]
    [InlineData("GET", "/v2/values/box_x?endian=middle", "", 400, "endian is")]
    [InlineData("PUT", "/v2/values/frames", """{"value":"1"}""", 400, "integer")]
    [InlineData("PUT", "/v2/values/frames", """{"value":4294967296}""", 400, "integer")]
    [InlineData("PUT", "/v2/values/edges", """{"value":[1]}""", 400, "list of 10")]
    [InlineData("PUT", "/v2/values/edges", """{"value":[1,2,3,4,5,6,7,8,9,null]}""", 400, "[9]: ")]
    [InlineData("PUT", "/v2/values/greeting", """{"value":"é"}""", 400, "place 1")]
    [InlineData("PUT", "/v2/values/node", """{"value":{}}""", 400, "field by field")]
    [InlineData("PUT", "/v2/values/frames", "{}", 400, "value is missing")]
    [InlineData("POST", "/v2/values", """{"names":[]}""", 400, "1 to 256")]
    [InlineData("POST", "/v2/values", """{"names":["frames",null]}""", 400, "1 to 256")]
    public async Task Values_ThatCannotBe_AreRefused(string method, string path, string body, int status, string expected)
    {
        var play = await shared.PlayAsync(NamedAsync);
        var problem = await play.SendAsync(HttpMethod.Parse(method), path, body == "" ? null : body, status: (HttpStatusCode)status);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static async Task<Play> NamedAsync()
    {
        var play = await Play.StartAsync();
        using var symbols = await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes(await File.ReadAllBytesAsync(Repository.File("docs/examples/mgba-bridge-test.elf"), TestContext.Current.CancellationToken)));
        Assert.Equal(HttpStatusCode.OK, symbols.StatusCode);
        await MapAsync(play, await File.ReadAllTextAsync(Repository.File("docs/examples/mgba-bridge-test.json"), TestContext.Current.CancellationToken));
        return play;
    }

    private static Task<JsonElement> MapAsync(Play play, string map) => play.SendAsync(HttpMethod.Put, "/v2/properties", map);

    private static Task<JsonElement> WriteAsync(Play play, string name, string value) => play.SendAsync(HttpMethod.Put, $"/v2/values/{name}", $$"""{"value":{{value}}}""");

    private static async Task<string> ValueAsync(Play play, string name) => (await play.GetAsync($"/v2/values/{name}")).GetProperty("value").ToString();

    [Fact]
    public async Task Names_BeyondTheLimits_AreRefusedAndTheGatewayGoesOn()
    {
        await using var play = await Play.StartAsync(("Symbols:MaxMemory", "1048576"));
        using var elf = await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes(ElfImage.SharingOneName(131_000, 2_000_000)));
        Assert.Equal(HttpStatusCode.BadRequest, elf.StatusCode);
        Assert.Contains("the limit is 1024", await elf.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        var list = string.Concat(Enumerable.Range(0, 10_000).Select(number => $"02000000 n{number}\n"));
        using var full = await play.RawAsync(HttpMethod.Put, "/v2/symbols", Play.Bytes(System.Text.Encoding.ASCII.GetBytes(list)));
        Assert.Equal(HttpStatusCode.InsufficientStorage, full.StatusCode);
        Assert.Contains("Bridge:Symbols:MaxMemory allows 1048576", await full.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        await MapAsync(play, """{"structs":{"s":{"fields":{"f":{"at":0,"type":"u8","count":100000}}}},"properties":{"many":{"type":"s","at":"0x02000000"}}}""");
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/values", """{"names":["many","many","many"]}""", status: HttpStatusCode.BadRequest);
        Assert.Contains("300000 numbers and texts in it; the limit is 262144", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(100_000, (await play.GetAsync("/v2/values/many")).GetProperty("value").GetProperty("f").GetArrayLength());
        await play.SendAsync(HttpMethod.Get, $"/v2/values/{new string('.', 4_000)}", status: HttpStatusCode.NotFound);
    }
}
