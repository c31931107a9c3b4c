using MgbaBridge.Gateway.Interfaces.Uat;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Uat;

public sealed class UatTests
{
    private const string Map = """
        {"properties": {
          "lives": {"type": "u8", "at": "0x02010000"},
          "items": {"type": "u16", "count": 3, "at": "0x02010002"},
          "magic": {"type": "text", "length": 4, "at": "0x02000000"},
          "boss": {"type": "u8", "at": "0x02010010", "chain": [4]}
        }}
        """;

    [Fact]
    public async Task Sync_GetsTheProperties()
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        await MapAsync(play, Map);
        using var client = await UatClient.ConnectAsync(settings);

        var info = Assert.Single((await client.NextAsync())!);
        Assert.Equal(("Info", 0, "1"), (info.GetProperty("cmd").GetString(), info.GetProperty("protocol").GetInt32(), Assert.Single(info.GetProperty("slots").EnumerateArray().ToArray()).GetString()));
        await client.NextAsync("Var"); // the values that were there before
        await client.SendAsync("""[{"cmd":"Sync","unknown":1}]""");

        Assert.Equal(
            """[{"cmd":"Var","name":"lives","value":0,"slot":"1"},{"cmd":"Var","name":"items","value":[0,0,0],"slot":"1"},{"cmd":"Var","name":"magic","value":"MBT1","slot":"1"},{"cmd":"Var","name":"boss","value":null,"slot":"1"}]""",
            JsonSerializer.Serialize(await client.NextAsync()));
        var connected = Assert.Single((await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).GetProperty("clients").EnumerateArray().ToArray());
        Assert.Equal(("uat", "Sync"), (connected.GetProperty("protocol").GetString(), connected.GetProperty("last").GetString()));
    }

    [Fact]
    public async Task Variable_ThatChanges_IsSentUnasked()
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        await MapAsync(play, Map);
        using var client = await UatClient.ConnectAsync(settings);
        await client.NextAsync("Var");

        await play.SendAsync(HttpMethod.Put, "/v2/values/lives", """{"value":3}""");
        Assert.Equal("""[{"cmd":"Var","name":"lives","value":3,"slot":"1"}]""", JsonSerializer.Serialize(await client.NextAsync()));
        await play.SendAsync(HttpMethod.Put, "/v2/values/items%5B1%5D", """{"value":7}""");
        Assert.Equal("""[{"cmd":"Var","name":"items","value":[0,7,0],"slot":"1"}]""", JsonSerializer.Serialize(await client.NextAsync()));
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02010010/u32", """{"value":33619972}""");
        Assert.Equal("""[{"cmd":"Var","name":"boss","value":0,"slot":"1"}]""", JsonSerializer.Serialize(await client.NextAsync()));
    }

    [Fact]
    public async Task Game_WithoutAMap_HasNoVariablesAndSaysSo()
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        await MapAsync(play, Map);
        using var client = await UatClient.ConnectAsync(settings);
        await client.NextAsync("Var");
        var other = await File.ReadAllBytesAsync(Repository.File("headless/roms/mgba-bridge-test.gba"), TestContext.Current.CancellationToken);
        other[^1] ^= 1;
        await File.WriteAllBytesAsync(Path.Combine(play.Folder, "other.gba"), other, TestContext.Current.CancellationToken);

        await play.SendAsync(HttpMethod.Post, "/v2/rom/load", """{"file":"other.gba"}""");
        var gone = await client.NextAsync(static command => command.TryGetProperty("value", out var value) && value.ValueKind == JsonValueKind.Null && command.GetProperty("name").GetString() == "lives");
        Assert.Equal(["lives", "items", "magic", "boss"], gone.Select(static one => one.GetProperty("name").GetString()));
        Assert.All(gone, static one => Assert.Equal(JsonValueKind.Null, one.GetProperty("value").ValueKind));

        await client.SendAsync("""[{"cmd":"Sync"}]""");
        var answer = Assert.Single((await client.NextAsync())!);
        Assert.StartsWith("This game has no variables", answer.GetProperty("description").GetString(), StringComparison.Ordinal);

        await MapAsync(play, Map);
        Assert.Equal(4, (await client.NextAsync("Var")).Length);
    }

    [Fact]
    public async Task Variables_ThatChangeInOneFrame_AreOnePacket()
    {
        const int Count = 1_000;
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        var properties = Enumerable.Range(0, Count).Select(index => $"\"v{index}\":{{\"type\":\"u32\",\"at\":\"0x{0x02010000 + (index * 4):x}\"}}");
        await MapAsync(play, $"{{\"properties\":{{{string.Join(',', properties)}}}}}");
        using var client = await UatClient.ConnectAsync(settings);
        Assert.Equal(Count, (await client.NextAsync("Var")).Length);

        for (byte round = 1; round <= 20; round++)
        {
            (await play.RawAsync(HttpMethod.Put, "/v2/memory/0x02010000", Play.Bytes([.. Enumerable.Repeat(round, Count * 4)]))).EnsureSuccessStatusCode();

            var packet = await client.NextAsync();
            Assert.Equal(Count, packet!.Length);
            Assert.All(packet, one => Assert.Equal(round * 0x01010101L, one.GetProperty("value").GetInt64()));
        }
    }

    [Fact]
    public async Task Emulators_AreSlots()
    {
        var settings = UatClient.Settings();
        await using var first = await HeadlessEmulator.StartAsync();
        await using var second = await HeadlessEmulator.StartAsync(game: "mgba-bridge-test.gb");
        await using var gateway = await GatewayHost.ReadyAsync(first.Port, [.. settings, ("Emulators:1:Port", $"{second.Port}"), ("Emulators:1:Id", "gb"), ("Doors:Uat:Variables:0", "0xC100 u8")]);
        using var client = await UatClient.ConnectAsync(settings);
        Assert.Equal("""["1","gb"]""", (await client.NextAsync())![0].GetProperty("slots").GetRawText());

        await client.SendAsync("""[{"cmd":"Sync","slot":"gb"}]""");
        Assert.All(await client.NextAsync(one => Slot(one) == "gb"), one => Assert.Equal("0xC100 u8", one.GetProperty("name").GetString()));
        await client.SendAsync("""[{"cmd":"Sync","slot":"2"}]""");
        Assert.Equal(
            """[{"cmd":"ErrorReply","name":"Sync","argument":"slot","reason":"bad value","description":"The slots are 1, gb."}]""",
            JsonSerializer.Serialize(await client.NextAsync("ErrorReply")));
    }

    [Fact]
    public async Task Map_ThatIsReplaced_ReplacesTheVariables()
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        await MapAsync(play, Map);
        using var client = await UatClient.ConnectAsync(settings);
        await client.NextAsync("Var");

        await MapAsync(play, """{"properties":{"lives":{"type":"u8","at":"0x02010000"},"coins":{"type":"u8","at":"0x02010001"}}}""");

        Assert.Equal(
            """[{"cmd":"Var","name":"items","value":null,"slot":"1"},{"cmd":"Var","name":"magic","value":null,"slot":"1"},{"cmd":"Var","name":"boss","value":null,"slot":"1"},{"cmd":"Var","name":"coins","value":0,"slot":"1"}]""",
            JsonSerializer.Serialize(await client.NextAsync()));
    }

    [Fact]
    public async Task Variables_OfTheSettings_AreSentBesideTheProperties()
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync([.. settings, ("Doors:Uat:Variables:0", "0x02000000 text 4"), ("Doors:Uat:Variables:1", "player_hp")]);
        using var client = await UatClient.ConnectAsync(settings);
        await client.NextAsync("Var");

        await client.SendAsync("""[{"cmd":"Sync","slot":""}]""");

        Assert.Equal("""[{"cmd":"Var","name":"0x02000000 text 4","value":"MBT1","slot":"1"}]""", JsonSerializer.Serialize(await client.NextAsync()));
        Assert.Equal(
            """[{"cmd":"ErrorReply","name":"Sync","reason":"unknown","description":"This game has no property and no symbol player_hp."}]""", JsonSerializer.Serialize(await client.NextAsync()));
    }

    [Theory]
    [InlineData("""[{"cmd":"HelloWorld"}]""", "HelloWorld", "unknown cmd", null)]
    [InlineData("""[{"cmd":"Info","protocol":0}]""", "Info", "unknown cmd", null)]
    [InlineData("""[{"cmd":"sync"}]""", "sync", "unknown cmd", null)]
    [InlineData("""[{"slot":"1"}]""", "", "missing argument", "cmd")]
    [InlineData("""[{"cmd":1}]""", "", "bad value", "cmd")]
    [InlineData("""[1]""", "", "unknown", null)]
    [InlineData("""{"cmd":"Sync"}""", "", "unknown", null)]
    [InlineData("""[{"cmd":"Sync","slot":1}]""", "Sync", "bad value", "slot")]
    [InlineData("""[{"cmd":"Sync","slot":null}]""", "Sync", "bad value", "slot")]
    public async Task Command_ThatIsWrong_GetsAnErrorReply(string packet, string name, string reason, string? argument)
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await UatClient.ConnectAsync(settings);

        await client.SendAsync(packet);

        var error = Assert.Single(await client.NextAsync("ErrorReply"));
        Assert.Equal((name, reason, argument), (error.GetProperty("name").GetString(), error.GetProperty("reason").GetString(), error.TryGetProperty("argument", out var given) ? given.GetString() : null));
        await client.SendAsync("""[{"cmd":"Unknown"},{"cmd":"Sync","slot":"9"}]""");
        Assert.Equal(2, (await client.NextAsync("ErrorReply")).Length);
    }

    [Theory]
    [InlineData("sync", WebSocketCloseStatus.InvalidPayloadData)]
    [InlineData("", WebSocketCloseStatus.InvalidPayloadData)]
    [InlineData("""[{"cmd":"\ud800"}]""", WebSocketCloseStatus.InvalidPayloadData)]
    [InlineData(null, WebSocketCloseStatus.MessageTooBig)]
    public async Task Message_ThatIsNoPacket_ClosesTheConnection(string? message, WebSocketCloseStatus status)
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await UatClient.ConnectAsync(settings);

        await client.SendAsync(message ?? new string(' ', 70_000));

        while (await client.NextAsync() is not null)
        {
            // what was sent before
        }

        Assert.Equal(status, client.Socket.CloseStatus);
        using var next = await UatClient.ConnectAsync(settings);
        await next.NextAsync("Info");
    }

    [Fact]
    public async Task Server_WhosePortIsInUse_TakesTheOtherOne()
    {
        var settings = UatClient.Settings();
        using var other = new TcpListener(IPAddress.Loopback, int.Parse(settings[1].Value));
        other.Start();
        var fallback = Clients.FreePort();
        await using var play = await Play.StartAsync(services => services.Registered<UatOptions>().FallbackPort = fallback, settings);
        using var client = await UatClient.ConnectAsync(settings, fallback);

        await client.NextAsync("Info");
    }

    [Fact]
    public async Task WebPage_IsRefused()
    {
        var settings = UatClient.Settings();
        await using var play = await Play.StartAsync(settings);
        using var client = await UatClient.ConnectAsync(settings);
        using var http = new HttpClient();
        using var response = await http.GetAsync(new Uri($"http://127.0.0.1:{settings[1].Value}"), TestContext.Current.CancellationToken);

        Assert.Null(await UatClient.TryConnectAsync(settings[1].Value, "https://example.com"));
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
    }

    [Fact]
    public async Task Emulator_ThatIsAddedOrRemoved_ChangesTheSlots()
    {
        var settings = UatClient.Settings();
        await using var gateway = await OwnedGateway.StartAsync(emulators: 1, settings);
        using var client = await UatClient.ConnectAsync(settings);
        Assert.Equal("""["1"]""", Slots(await client.NextAsync("Info")));

        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gba","id":"two"}""");
        Assert.Equal("""["1","two"]""", Slots(await client.NextAsync("Info")));
        await gateway.SendAsync(HttpMethod.Delete, "/v2/emulators/two");
        Assert.Equal("""["1"]""", Slots(await client.NextAsync("Info")));
    }

    private static string Slots(JsonElement[] info) => Assert.Single(info).GetProperty("slots").GetRawText();

    private static string? Slot(JsonElement command) => command.TryGetProperty("slot", out var slot) ? slot.GetString() : null;

    private static Task<JsonElement> MapAsync(Play play, string map) => play.SendAsync(HttpMethod.Put, "/v2/properties", map);
}
