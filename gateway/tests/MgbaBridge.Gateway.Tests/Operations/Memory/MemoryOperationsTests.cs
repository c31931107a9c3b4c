using System.Net;
using System.Text;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Memory;

public sealed class MemoryOperationsTests
{
    [Fact]
    public async Task Values_OfEveryType_AreReadAsTheyAre()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u32", """{"value":4294967294}""");
        foreach (var (type, value) in new (string, long)[] { ("u8", 254), ("s8", -2), ("u16", 65_534), ("s16", -2), ("u32", 4_294_967_294), ("s32", -2) })
        {
            Assert.Equal((type, value), (type, await play.ReadAsync(Play.Scratch, type)));
        }

        await play.SendAsync(HttpMethod.Put, "/v2/memory/wram:0x1001/s16", """{"value":-300}""");
        Assert.Equal(-300, await play.ReadAsync("33558529", "s16"));
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u8", """{"value":256}""", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Get, "/v2/memory/0x100000000/u8", status: HttpStatusCode.BadRequest);
        await play.SendAsync(HttpMethod.Get, "/v2/memory/nowhere/u8", status: HttpStatusCode.BadRequest);
    }

    [Fact]
    public async Task Reads_ManyAtOnce_AreOfOneFrame()
    {
        await using var play = await Play.StartAsync();
        var answer = await play.SendAsync(HttpMethod.Post, "/v2/memory/read", """
            {"reads":[{"location":"0x02000008","type":"u32"},{"location":"wram:0xA0","length":10},{"location":"0x02000080","type":"u8"},{"location":"0x0200008C","type":"s32"},{"location":"0x02000000","length":0}]}
            """);
        var reads = answer.GetProperty("reads");
        var frame = reads[0].GetProperty("value").GetInt64();
        Assert.Equal("HELLO MGBA", Encoding.ASCII.GetString(reads[1].GetProperty("bytes").GetBytesFromBase64()));
        Assert.Equal("wram:0xA0", reads[1].GetProperty("location").GetString());
        Assert.Equal((frame % 256, 300 - frame), (reads[2].GetProperty("value").GetInt64(), reads[3].GetProperty("value").GetInt64()));
        Assert.Empty(reads[4].GetProperty("bytes").GetBytesFromBase64());

        var many = string.Join(',', Enumerable.Repeat("""{"location":"0x02000008","type":"u32"}""", 1_024));
        var values = (await play.SendAsync(HttpMethod.Post, "/v2/memory/read", $$"""{"reads":[{{many}}]}""")).GetProperty("reads").EnumerateArray().Select(read => read.GetProperty("value").GetInt64()).ToArray();
        Assert.Equal((1_024, 1), (values.Length, values.Distinct().Count()));
        await play.SendAsync(HttpMethod.Post, "/v2/memory/read", $$"""{"reads":[{{many}},{{many}}]}""", status: HttpStatusCode.BadRequest);
    }

    [Theory]
    [InlineData("""{"reads":[]}""", "1 to 1024")]
    [InlineData("""{"reads":null}""", "reads is null; expected a list")]
    [InlineData("""{"reads":[null]}""", "reads[0]: ")]
    [InlineData("""{"reads":[{"location":"0x02000000"}]}""", "reads[0]: Write either a type")]
    [InlineData("""{"reads":[{"location":"0x02000000","type":"u8","length":1}]}""", "reads[0]: Write either a type")]
    [InlineData("""{"reads":[{"location":"0x02000000","length":-1}]}""", "reads[0]: length is -1; expected an integer from 0 to 4194304")]
    [InlineData("""{"reads":[{"location":"0x02000000","type":"u64"}]}""", "expected u8, s8, u16")]
    [InlineData("""{"reads":[{"location":"here","type":"u8"}]}""", "location is \"here\"; expected an address")]
    [InlineData("""{"reads":[{"location":"wram:0x40000","type":"u8"}]}""", "262144 bytes")]
    [InlineData("""{"reads":[{"location":"0x02000000","length":4294967296}]}""", "4194304")]
    [InlineData("""{"reads":[{"location":"0x02000000","length":9223372036854775807},{"location":"0x02000000","length":9223372036854775807}]}""", "4194304")]
    public async Task Reads_ThatCannotBe_AreRefused(string body, string expected)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Post, "/v2/memory/read", body, status: HttpStatusCode.BadRequest);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/v2/memory/0x02000100/u8")]
    [InlineData("/v2/registers/r12")]
    public async Task Writes_WithoutAValue_AreRefused(string path)
    {
        await using var play = await Play.StartAsync();
        var problem = await play.SendAsync(HttpMethod.Put, path, "{}", status: HttpStatusCode.BadRequest);
        Assert.Contains("value is missing; expected", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Writes_OfManyBytes_SayWhichFramesTheyTook()
    {
        await using var play = await Play.StartAsync();
        var bytes = new byte[100_000];
        Random.Shared.NextBytes(bytes);
        using var written = await play.RawAsync(HttpMethod.Put, "/v2/memory/0x02010000", Play.Bytes(bytes));
        var answer = System.Text.Json.JsonDocument.Parse(await written.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        Assert.Equal(6, answer.GetProperty("last").GetInt64() - answer.GetProperty("first").GetInt64());
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/memory/wram:0x10000?length=100000") { Headers = { { "Accept", "application/octet-stream" } } };
        using var read = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(bytes, await read.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Operations_OverWebSocket_ReadAndWriteAsTheirPathsDo()
    {
        await using var play = await Play.StartAsync();
        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        var written = await socket.DoAsync("memory.write.s16", $$"""{"location":"{{Play.Scratch}}","value":-2}""");
        Assert.Equal(written.GetProperty("first").GetInt64(), written.GetProperty("last").GetInt64());
        Assert.Equal(-2, (await socket.DoAsync("memory.read.s16", $$"""{"location":"{{Play.Scratch}}"}""")).GetProperty("value").GetInt64());
        Assert.Equal(65_534, await play.ReadAsync(Play.Scratch, "u16"));
        const string Range = """{"location":"0x02000000","length":4}""";
        Assert.Equal("MBT1", Encoding.ASCII.GetString((await socket.DoAsync("memory.read", Range)).GetProperty("bytes").GetBytesFromBase64()));
        Assert.Equal(4, (await socket.RequestAsync("memory.read", Range, binary: true)).GetProperty("binary").GetInt32());
        Assert.Equal("MBT1"u8.ToArray(), await socket.BytesAsync());
        Assert.NotEmpty((await socket.DoAsync("memory.domains")).GetProperty("domains").EnumerateArray());
        var refused = await socket.RequestAsync("memory.read", """{"location":"0x02000000","length":-1}""");
        Assert.Contains("0 to 4194304", refused.GetProperty("problem").GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Domains_OfTheGame_AreListed()
    {
        await using var play = await Play.StartAsync();
        var wram = (await play.GetAsync("/v2/memory/domains")).GetProperty("domains").EnumerateArray().Single(domain => domain.GetProperty("id").GetString() == "wram");
        Assert.Equal(("0x02000000", 262_144), (wram.GetProperty("base").GetString(), wram.GetProperty("size").GetInt32()));
    }
}
