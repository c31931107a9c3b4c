using System.Text;
using System.Text.Json;
using MgbaBridge.Engines.Pictures;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations;

/// <summary>Operations whose response or parameter is bytes give and take the same ones over HTTP, over WebSocket and as items of a batch.</summary>
public sealed class EqualBytesTests
{
    // behind the machine's own bytes a state says when it was made
    private const int Machine = 397_312;

    [Fact]
    public async Task Bytes_OfResponses_AreTheSameOnAllInterfaces()
    {
        await using var play = await Play.StartAsync(await HeadlessEmulator.StartAsync());
        var recording = (await play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", "{}")).GetProperty("id").GetString();
        await play.AskGatewayAsync(HttpMethod.Put, "/v2/rewind", """{"every":600}""");
        var points = default(JsonElement);
        do
        {
            await play.WaitAsync(10);
            points = (await play.AskGatewayAsync(HttpMethod.Get, "/v2/rewind")).GetProperty("points");
        }
        while (points.GetArrayLength() == 0);
        var rewind = points[0].GetProperty("frame").GetInt64();
        await play.AskGatewayAsync(HttpMethod.Post, $"/v2/recordings/{recording}/stop");
        await play.AskGatewayAsync(HttpMethod.Post, "/v2/states", """{"name":"here"}""");
        await play.Emulator.ControlAsync("pause");

        ResponseCase[] cases =
        [
            new("memory.read", "/v2/memory/0x02000000?length=9", """{"location":"0x02000000","length":9}"""),
            new("memory.gather", "/v2/memory/read", """{"reads":[{"location":"0x020000A0","length":5}]}""") { Item = """{"read":{"location":"0x020000A0","length":5}}""", IsPost = true },
            new("screen.get", "/v2/screen", "{}") { Item = """{"screen":true}""" },
            new("screen.pixels", "/v2/screen/pixels?grey=true&width=84", """{"grey":true,"width":84}""") { Item = """{"pixels":{"grey":true,"width":84}}""" },
            new("vector.step", "/v2/vector", """{"rows":[{"emulator":"1"}],"frames":0}""") { IsPost = true },
            new("state.get", "/v2/state", "{}") { Item = """{"state":true}""", Compared = bytes => bytes[..Machine] },
            new("save.get", "/v2/save", "{}"),
            new("states.get", "/v2/states/here", """{"name":"here"}"""),
            new("states.picture", "/v2/states/here/picture", """{"name":"here"}"""),
            new("recordings.download", $"/v2/recordings/{recording}", $$"""{"recording":"{{recording}}"}"""),
            new("rewind.screen", $"/v2/rewind/{rewind}/screen", $$"""{"frame":{{rewind}}}"""),
            new("video.palettesPicture", "/v2/video/palettes/picture?scale=2", """{"scale":2}"""),
            new("video.tilesPicture", "/v2/video/tiles/picture?count=16", """{"count":16}"""),
            new("video.mapPicture", "/v2/video/maps/2/picture", """{"map":2}"""),
            new("video.spritesPicture", "/v2/video/sprites/picture", "{}"),
            new("video.spritePicture", "/v2/video/sprites/0/picture", """{"sprite":0}"""),
            new("health.live", "/healthz", "{}"),
            new("metrics.get", "/metrics", "{}") { Compared = bytes => Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(bytes).Split('\n').Single(line => line.StartsWith("mgba_emulator_up", StringComparison.Ordinal))) },
        ];
        var (withBytes, items) = Declared(static operation => !operation.IsHttpOnly && operation.GetType().GetProperty("Bytes")?.GetValue(operation) is not null);
        Assert.Empty(withBytes.Except(cases.Select(one => one.Name)).Select(static name => $"{name} gives bytes: add a case for it above"));
        Assert.Equal(withBytes, cases.Select(one => one.Name).Order());
        Assert.Empty(cases.Where(one => one.Item is not null).Select(one => one.Name).Except(items));

        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        foreach (var one in cases)
        {
            var http = one.Compared(await OverHttpAsync(play, one));
            Assert.NotEmpty(http);
            var header = await socket.DoAsync(one.Name, one.Body, binary: true);
            AssertEqual(http, one.Compared(await socket.BytesAsync()), $"{one.Name} over WebSocket: {header}");
            if (items.Contains(one.Name))
            {
                var item = one.Item ?? $$"""{"{{one.Name}}":{{one.Body}}}""";
                var result = (await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":[{{item}}]}""")).GetProperty("results")[0];
                var found = result.TryGetProperty("result", out var response) ? response : result;
                var bytes = found.TryGetProperty("text", out var text) ? Encoding.UTF8.GetBytes(text.GetString()!) : found.GetProperty("bytes").GetBytesFromBase64();
                AssertEqual(http, one.Compared(bytes), $"{one.Name} in a batch");
            }
        }

        await socket.CloseAsync();
    }

    [Fact]
    public async Task Bytes_OfParameters_HaveTheSameEffectOnAllInterfaces()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u32", """{"value":67305985}""");
        var state = await play.Client.GetByteArrayAsync("/v2/state", TestContext.Current.CancellationToken);
        var recording = (await play.AskGatewayAsync(HttpMethod.Post, "/v2/recordings", """{"hashEvery":5}""")).GetProperty("id").GetString();
        await play.WaitAsync(20);
        await play.AskGatewayAsync(HttpMethod.Post, $"/v2/recordings/{recording}/stop");
        var lines = await play.Client.GetByteArrayAsync($"/v2/recordings/{recording}", TestContext.Current.CancellationToken);

        Func<JsonElement, Task<string>> scratch = async _ => (await play.ReadAsync(Play.Scratch)).ToString("X");
        ParameterCase[] cases =
        [
            new("memory.write", HttpMethod.Put, $"/v2/memory/{Play.Scratch}", "bytes", [4, 3, 2, 1], "1020304", scratch) { Others = $"\"location\":\"{Play.Scratch}\",", Item = bytes => $$$"""{"write":{"location":"{{{Play.Scratch}}}","bytes":"{{{bytes}}}"}}""" },
            new("state.load", HttpMethod.Put, "/v2/state", "bytes", state, "4030201", scratch) { Item = bytes => $$"""{"loadState":"{{bytes}}"}""" },
            new("save.put", HttpMethod.Put, "/v2/save", "bytes", new byte[32_768], "32768", answer => Task.FromResult(answer.GetProperty("length").GetInt64().ToString())),
            new("recordings.replay", HttpMethod.Post, "/v2/replay", "recording", lines, "True", answer => Task.FromResult(answer.GetProperty("same").GetBoolean().ToString())),
            new("camera.set", HttpMethod.Put, "/v2/sensors/camera", "bytes", CameraPicture.ToPng(new byte[CameraPicture.Width * CameraPicture.Height]), "True", async _ => (await play.GetAsync("/v2/sensors")).GetProperty("camera").GetBoolean().ToString()) { Item = bytes => $$$"""{"camera":{"bytes":"{{{bytes}}}"}}""" },
            new("cheats.load", HttpMethod.Post, "/v2/cheats", "file", "# Lives\n02010000:07\n"u8.ToArray(), "Lives", answer => Task.FromResult(answer.GetProperty("cheats")[0].GetProperty("name").GetString()!)),
            new("symbols.load", HttpMethod.Put, "/v2/symbols", "file", "02000000 a\n02000004 b\n"u8.ToArray(), "2", answer => Task.FromResult(answer.GetProperty("count").GetInt32().ToString())),
            new("properties.load", HttpMethod.Put, "/v2/properties", "file", """{"properties":{"hp":{"type":"u8","at":"0x02000000"}}}"""u8.ToArray(), "hp", answer => Task.FromResult(answer.GetProperty("properties")[0].GetProperty("name").GetString()!)),
        ];
        var (withBytes, items) = Declared(static operation => operation.TakesBytes);
        Assert.Equal(withBytes, cases.Select(one => one.Name).Order());
        Assert.Equal(items, cases.Where(one => one.Item is not null).Select(one => one.Name).Order());

        using var socket = await WebSocketClient.OpenAsync(play.Gateway);
        foreach (var one in cases)
        {
            await AssertAsync(one, "HTTP", async () =>
            {
                using var response = await play.RawAsync(one.Method, one.Path, Play.Bytes(one.Bytes));
                return JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
            });
            var base64 = Convert.ToBase64String(one.Bytes);
            await AssertAsync(one, "WebSocket in base64", () => socket.DoAsync(one.Name, $$"""{ {{one.Others}}"{{one.Parameter}}":"{{base64}}"}"""));
            await AssertAsync(one, "WebSocket in a binary message", async () =>
            {
                await socket.SendAsync($$"""{"id":1000000,"op":"{{one.Name}}","body":{ {{one.Others.TrimEnd(',')}} },"binary":true}""");
                await socket.SendAsync(one.Bytes);
                return (await socket.AnswerAsync(1_000_000)).GetProperty("body");
            });
            if (one.Item is { } item)
            {
                await AssertAsync(one, "a batch", async () => await play.SendAsync(HttpMethod.Post, "/v2/batch", $$"""{"items":[{{item(base64)}}]}"""));
            }
        }

        await socket.CloseAsync();

        async Task AssertAsync(ParameterCase one, string how, Func<Task<JsonElement>> request)
        {
            await play.SendAsync(HttpMethod.Put, $"/v2/memory/{Play.Scratch}/u32", """{"value":0}""");
            await play.AskGatewayAsync(HttpMethod.Delete, "/v2/symbols");
            await play.AskGatewayAsync(HttpMethod.Delete, "/v2/properties");
            var answer = await request();
            Assert.Equal((one.Name, how, one.Expected), (one.Name, how, await one.Effect(answer)));
        }
    }

    private static void AssertEqual(byte[] expected, byte[] found, string what) =>
        Assert.True(expected.AsSpan().SequenceEqual(found), $"{what}: {found.Length} bytes instead of these {expected.Length}");

    private static async Task<byte[]> OverHttpAsync(Play play, ResponseCase one)
    {
        using var request = new HttpRequestMessage(one.IsPost ? HttpMethod.Post : HttpMethod.Get, one.Path) { Headers = { { "Accept", BytesOf<object>.Binary } } };
        request.Content = one.IsPost ? new StringContent(one.Body, Encoding.UTF8, "application/json") : null;
        using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.True(response.IsSuccessStatusCode, $"{one.Path}: {response.StatusCode}");
        return await response.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken);
    }

    /// <summary>The names of the operations with bytes, and of those among them that can be items of a batch.</summary>
    private static (IEnumerable<string> All, IEnumerable<string> Items) Declared(Func<Operation, bool> has)
    {
        var found = OperationCatalog.All.Where(has).ToList();
        return (found.Select(operation => operation.Name).Order(), found.Where(operation => operation.Batch is not null).Select(operation => operation.Name).Order());
    }

    private sealed record ResponseCase(string Name, string Path, string Body)
    {
        public bool IsPost { get; init; }

        public string? Item { get; init; }

        public Func<byte[], byte[]> Compared { get; init; } = static bytes => bytes;
    }

    private sealed record ParameterCase(string Name, HttpMethod Method, string Path, string Parameter, byte[] Bytes, string Expected, Func<JsonElement, Task<string>> Effect)
    {
        public string Others { get; init; } = "";

        public Func<string, string>? Item { get; init; }
    }
}
