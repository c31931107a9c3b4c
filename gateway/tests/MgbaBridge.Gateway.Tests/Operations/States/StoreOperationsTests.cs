using System.Net;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.States;

public sealed class StoreOperationsTests
{
    private const string Scratch = "/v2/memory/0x02001000/u32";

    [Fact]
    public async Task State_KeptByTheGateway_CanBeListedLoadedComparedDownloadedAndDeleted()
    {
        await using var gateway = await OwnedGateway.StartAsync(2);
        await gateway.SendAsync(HttpMethod.Put, Scratch, """{"value":1}""");
        var first = await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"first"}""");
        Assert.Equal(("first", "1", "0x52258CD4", true), (
            first.GetProperty("name").GetString(), first.GetProperty("emulator").GetString(), first.GetProperty("crc32").GetString(), first.GetProperty("picture").GetBoolean()));
        await gateway.SendAsync(HttpMethod.Put, Scratch, """{"value":2}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"second"}""");
        Assert.Equal(["second", "first"], (await gateway.GetAsync("/v2/states")).GetProperty("states").EnumerateArray().Select(state => state.GetProperty("name").GetString()));

        var regions = (await gateway.GetAsync("/v2/states/first/compare?with=second")).GetProperty("regions").EnumerateArray().ToDictionary(region => region.GetProperty("name").GetString()!);
        Assert.Contains(regions["wram"].GetProperty("runs").EnumerateArray(), run => run.GetProperty("offset").GetInt32() is var at && at <= 0x1000 && at + run.GetProperty("length").GetInt32() > 0x1000);

        await gateway.SendAsync(HttpMethod.Post, "/i/2/v2/states/first/load");
        Assert.Equal(1, (await gateway.GetAsync($"/i/2{Scratch}")).GetProperty("value").GetInt32());
        Assert.Equal(2, (await gateway.GetAsync(Scratch)).GetProperty("value").GetInt32());

        using var bytes = await gateway.Client.GetAsync("/v2/states/first", TestContext.Current.CancellationToken);
        Assert.Equal($"\"{first.GetProperty("sha256").GetString()}\"", bytes.Headers.ETag?.Tag);
        Assert.Equal(first.GetProperty("bytes").GetInt64(), bytes.Content.Headers.ContentLength);
        using var picture = await gateway.Client.GetAsync("/v2/states/first/picture", TestContext.Current.CancellationToken);
        Assert.Equal("image/png", picture.Content.Headers.ContentType?.MediaType);
        using var again = new HttpRequestMessage(HttpMethod.Get, "/v2/states/first") { Headers = { { "If-None-Match", bytes.Headers.ETag!.Tag } } };
        using var unchanged = await gateway.Client.SendAsync(again, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.NotModified, unchanged.StatusCode);

        using var socket = await WebSocketClient.OpenAsync(gateway.Host);
        Assert.Equal(await bytes.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken), (await socket.DoAsync("states.get", """{"name":"first"}""")).GetProperty("bytes").GetBytesFromBase64());
        await socket.RequestAsync("states.picture", """{"name":"first"}""", binary: true);
        Assert.Equal(await picture.Content.ReadAsByteArrayAsync(TestContext.Current.CancellationToken), await socket.BytesAsync());
        await socket.CloseAsync();

        await gateway.SendAsync(HttpMethod.Delete, "/v2/states/first");
        await gateway.SendAsync(HttpMethod.Delete, "/v2/states/first", status: HttpStatusCode.NotFound);
        await gateway.SendAsync(HttpMethod.Get, "/v2/states/first/picture", status: HttpStatusCode.NotFound);
    }

    /// <summary>Saved, built again, loaded: the ROM is another one, with other code at the same places perhaps.</summary>
    [Fact]
    public async Task State_OfAnEarlierBuild_IsLoadedWhenThatIsWanted()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Put, "/v2/memory/0x02001000/u32", """{"value":4711}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"before"}""");
        await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, "again.gba"), [.. await File.ReadAllBytesAsync(Path.Combine(gateway.Roms, "test.gba"), TestContext.Current.CancellationToken), 1], TestContext.Current.CancellationToken);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"again.gba","id":"again"}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gb","id":"gb"}""");

        foreach (var (emulator, body, expected) in ((string, string, string)[])[("again", "{}", "set anyRom"), ("gb", """{"anyRom":true}""", "Load it where its ROM runs.")])
        {
            using var refused = await gateway.Client.PostAsync($"/i/{emulator}/v2/states/before/load", new StringContent(body, null, "application/json"), TestContext.Current.CancellationToken);
            Assert.Equal(HttpStatusCode.Conflict, refused.StatusCode);
            Assert.Contains(expected, await refused.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
        }

        var loaded = await gateway.SendAsync(HttpMethod.Post, "/i/again/v2/states/before/load", """{"anyRom":true}""");
        Assert.Contains("The game may crash", loaded.GetProperty("warning").GetString(), StringComparison.Ordinal);
        Assert.Equal(4711, (await gateway.GetAsync("/i/again/v2/memory/0x02001000/u32")).GetProperty("value").GetInt32());
        Assert.False((await gateway.SendAsync(HttpMethod.Post, "/v2/states/before/load", """{"anyRom":true}""")).TryGetProperty("warning", out _));

        var agent = await McpCaller.ConnectAsync(gateway.Client);
        Assert.Contains("set anyRom", await agent.ErrorAsync("load", """{"emulator":"again","name":"before"}"""), StringComparison.Ordinal);
        Assert.Empty((await agent.CallAsync("load", """{"emulator":"again"}""")).Content.GetProperty("states").EnumerateArray());
        var listed = Assert.Single((await agent.CallAsync("load", """{"emulator":"again","anyRom":true}""")).Content.GetProperty("states").EnumerateArray(), static state => state.GetString()!.StartsWith("before: ", StringComparison.Ordinal));
        Assert.EndsWith(", another ROM", listed.GetString(), StringComparison.Ordinal);
        Assert.Contains("The game may crash", (await agent.CallAsync("load", """{"emulator":"again","name":"before","anyRom":true}""")).Content.GetProperty("warning").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("gba", 30)]
    [InlineData("gba", 27)] // a PNG
    [InlineData("gb", 30)]
    public async Task StateThatIsSent_OfAnotherBuild_IsLoadedOnRequestOnly(string console, int flags)
    {
        await using var gateway = await OwnedGateway.StartAsync(0);
        var rom = await File.ReadAllBytesAsync(Repository.File($"headless/roms/mgba-bridge-test.{console}"), TestContext.Current.CancellationToken);
        foreach (var (name, content) in ((string, byte[])[])[("old", rom), ("new", [.. rom[..^1], (byte)~rom[^1]])])
        {
            await File.WriteAllBytesAsync(Path.Combine(gateway.Roms, $"{name}.{console}"), content, TestContext.Current.CancellationToken);
            await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", $$"""{"rom":"{{name}}.{{console}}","id":"{{name}}"}""");
        }

        var state = await gateway.Client.GetByteArrayAsync($"/i/old/v2/state?flags={flags}", TestContext.Current.CancellationToken);
        foreach (var (emulator, query, status) in ((string, string, HttpStatusCode)[])[("old", "", HttpStatusCode.OK), ("new", "", HttpStatusCode.Conflict), ("new", "?anyRom=true", HttpStatusCode.OK)])
        {
            using var loaded = await gateway.Client.PutAsync($"/i/{emulator}/v2/state{query}", new ByteArrayContent(state), TestContext.Current.CancellationToken);
            Assert.Equal(status, loaded.StatusCode);
            Assert.Equal(status == HttpStatusCode.Conflict, (await loaded.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).Contains("or set anyRom", StringComparison.Ordinal));
        }
    }

    /// <summary>As in mGBA, the game's next save is made from the save data of the state; the newer one is not lost.</summary>
    [Fact]
    public async Task State_WithAnOlderSave_KeepsTheNewerOneOnce()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        const string Saved = "/v2/memory/0x0E000010/u8";
        await gateway.SendAsync(HttpMethod.Put, Saved, """{"value":71}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"old"}""");
        Assert.False((await gateway.SendAsync(HttpMethod.Post, "/v2/states/old/load")).TryGetProperty("kept", out _));
        await gateway.SendAsync(HttpMethod.Put, Saved, """{"value":72}""");

        var kept = (await gateway.SendAsync(HttpMethod.Post, "/v2/states/old/load")).GetProperty("kept").GetString()!;
        Assert.Equal(71, (await gateway.GetAsync(Saved)).GetProperty("value").GetInt32());
        Assert.False((await gateway.SendAsync(HttpMethod.Post, "/v2/states/old/load")).TryGetProperty("kept", out _));
        var state = Assert.Single((await gateway.GetAsync("/v2/states")).GetProperty("states").EnumerateArray(), state => state.GetProperty("kind").GetString() == "before-save");
        Assert.Equal(kept, state.GetProperty("name").GetString());
        Assert.False((await gateway.SendAsync(HttpMethod.Post, $"/v2/states/{Uri.EscapeDataString(kept)}/load")).TryGetProperty("kept", out _));
        Assert.Equal(72, (await gateway.GetAsync(Saved)).GetProperty("value").GetInt32());
    }

    [Fact]
    public async Task State_UsedInAWrongWay_IsRefusedWithTheReason()
    {
        await using var gateway = await OwnedGateway.StartAsync(1);
        await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gb","id":"gb"}""");
        await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"gba"}""");
        await gateway.SendAsync(HttpMethod.Post, "/i/gb/v2/states", """{"name":"gb"}""");
        await RefusedAsync(HttpMethod.Post, "/v2/states", """{"name":"GBA"}""", HttpStatusCode.Conflict, "state-exists");
        await gateway.SendAsync(HttpMethod.Post, "/v2/states", """{"name":"GBA","replace":true}""");
        await RefusedAsync(HttpMethod.Post, "/v2/states", """{"name":"auto.1"}""", HttpStatusCode.BadRequest, "bad-request");
        await RefusedAsync(HttpMethod.Post, "/v2/states", """{"name":"../x"}""", HttpStatusCode.BadRequest, "bad-request");
        await RefusedAsync(HttpMethod.Post, "/i/gb/v2/states/gba/load", null, HttpStatusCode.Conflict, "other-game");
        await RefusedAsync(HttpMethod.Post, "/v2/states/none/load", null, HttpStatusCode.NotFound, "no-such-state");
        await RefusedAsync(HttpMethod.Get, "/v2/states/gba/compare?with=gb", null, HttpStatusCode.Conflict, "other-game");
        await RefusedAsync(HttpMethod.Get, "/v2/states/gba/compare", null, HttpStatusCode.BadRequest, "bad-request");
        await RefusedAsync(HttpMethod.Get, "/v2/states/gba/compare?with=none", null, HttpStatusCode.NotFound, "no-such-state");
        await RefusedAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gb","state":"gba"}""", HttpStatusCode.BadGateway, "start-failed");
        Assert.Equal("3", (await gateway.SendAsync(HttpMethod.Post, "/v2/emulators", """{"rom":"test.gb","state":"gb","id":"3"}""")).GetProperty("id").GetString());

        async Task RefusedAsync(HttpMethod method, string path, string? body, HttpStatusCode status, string type)
        {
            var problem = await gateway.SendAsync(method, path, body, status);
            Assert.Equal($"urn:mgba-bridge:problem:{type}", problem.GetProperty("type").GetString());
        }
    }
}
