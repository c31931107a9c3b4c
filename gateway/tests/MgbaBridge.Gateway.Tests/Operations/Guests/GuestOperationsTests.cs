using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Operations.Guests;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations.Guests;

/// <summary>Links by which other people play along.</summary>
public sealed class GuestOperationsTests : IDisposable
{
    private const string Owner = "owner-token-0123456789";
    private const string Invitation = """{"name":"Ann","address":"http://192.0.2.7:5000/"}""";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-guests-");

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData(null, "http://192.0.2.7:5000")]
    [InlineData(Owner, null)]
    public async Task Invite_WhereNoOtherMachineIsLetIn_SaysHowToShare(string? token, string? address)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, token is null ? [] : [("Http:Token", token)]);
        var problem = await AskAsync(gateway, token, HttpMethod.Post, "/v2/guests", address is null ? "{}" : $$"""{"address":"{{address}}"}""", 409);
        Assert.EndsWith(":not-shared", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
        Assert.Contains("run --share", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://127.0.0.1:5000;http://[::1]:5000", null)]
    [InlineData("http://localhost:5000", null)]
    [InlineData("http://unix:/run/gateway.sock", null)]
    [InlineData("http://0.0.0.0:5000;http://[::1]:5000", "http://192.0.2.2:5000")]
    [InlineData("http://127.0.0.1:1;http://[::]:5000", "http://192.0.2.2:5000")]
    [InlineData("http://192.0.2.9:81", "http://192.0.2.9:81")]
    public void Address_OfALink_IsWhereOthersReachTheGateway(string listening, string? expected)
    {
        Assert.Equal(expected, GuestLink.AddressOf(listening.Split(';'), IPAddress.Parse("192.0.2.2")));
        Assert.True(GuestLink.AddressOf(listening.Split(';'), null) is null or "http://192.0.2.9:81");
    }

    [Fact]
    public void QrCode_OfALink_HasTheFormOfOne()
    {
        var lines = GuestLink.QrCode("http://192.0.2.2:5000/#/play?token=0123");
        Assert.All(lines, line => Assert.Equal(lines[0].Length, line.Length));
        Assert.StartsWith("████ ▄▄▄▄▄ █", lines[2], StringComparison.Ordinal); // the corner that scanners look for, light on dark
    }

    [Theory]
    [InlineData("""{"name":""}""", "name")]
    [InlineData("""{"name":"12345678901234567890123456789012345678901"}""", "name")]
    [InlineData("""{"name":7}""", "name")]
    [InlineData("""{"name":"   "}""", "not only spaces")]
    [InlineData("""{"name":"a\u0000b"}""", "no control characters")]
    [InlineData("""{"name":"a\nb"}""", "no control characters")]
    [InlineData("""{"role":"owner"}""", "role")]
    [InlineData("""{"role":"king"}""", "role")]
    [InlineData("""{"expiresIn":0}""", "expiresIn")]
    [InlineData("""{"expiresIn":31536000}""", "expiresIn")]
    [InlineData("""{"expiresIn":-60}""", "expiresIn")]
    [InlineData("""{"address":"javascript:alert(1)"}""", "address")]
    [InlineData("""{"address":"http://a:b@192.0.2.7/"}""", "address")]
    [InlineData("""{"address":"http://192.0.2.7/?x=1"}""", "address")]
    [InlineData("""{"until":"tomorrow"}""", "until")]
    public async Task Invite_WithAWrongValue_NamesIt(string body, string parameter)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Owner));
        var problem = await AskAsync(gateway, Owner, HttpMethod.Post, "/v2/guests", body, 400);
        Assert.Contains(parameter, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Empty((await AskAsync(gateway, Owner, HttpMethod.Get, "/v2/guests")).GetProperty("guests").EnumerateArray());
    }

    [Fact]
    public async Task Invite_OfMoreThanMayBe_IsRefusedUntilOneEnds()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Owner));
        var first = await InviteAsync(gateway, Invitation);
        for (var count = 1; count < GuestStore.Max; count++)
        {
            await InviteAsync(gateway, Invitation);
        }

        var problem = await AskAsync(gateway, Owner, HttpMethod.Post, "/v2/guests", Invitation, 409);
        Assert.EndsWith(":too-many-guests", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
        Assert.Equal(1, (await AskAsync(gateway, Owner, HttpMethod.Delete, $"/v2/guests/{first.Id}")).GetProperty("ended").GetInt32());
        var last = await InviteAsync(gateway, Invitation);
        Assert.Equal(GuestStore.Max, (await AskAsync(gateway, Owner, HttpMethod.Delete, "/v2/guests")).GetProperty("ended").GetInt32());
        foreach (var (method, path, body) in new[] { (HttpMethod.Delete, $"/v2/guests/{last.Id}", null), (HttpMethod.Put, $"/v2/guests/{last.Id}", """{"role":"player"}""") })
        {
            var none = await AskAsync(gateway, Owner, method, path, body, 404);
            Assert.Contains("GET /v2/guests", none.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("viewer", 403)]
    [InlineData("guest", 200)]
    [InlineData("player", 200)]
    public async Task Guest_OfALink_HasItsRoleAndSeesNoOtherGuests(string role, int presses)
    {
        await using var play = await Play.StartAsync(("Http:Token", Owner));
        var guest = await InviteAsync(play.Gateway, $$"""{"role":"{{role}}","address":"https://play.example.com/mgba"}""");
        Assert.StartsWith("https://play.example.com/mgba/#/play?token=", guest.Link, StringComparison.Ordinal);
        Assert.Equal(role, (await AskAsync(play.Gateway, guest.Token, HttpMethod.Get, "/v2/operations")).GetProperty("role").GetString());
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""", presses);
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Post, "/v2/lease", "{}", role == "player" ? 200 : 403);
        foreach (var (method, path) in new[] { (HttpMethod.Get, "/v2/guests"), (HttpMethod.Post, "/v2/guests"), (HttpMethod.Put, $"/v2/guests/{guest.Id}"), (HttpMethod.Delete, "/v2/guests") })
        {
            await AskAsync(play.Gateway, guest.Token, method, path, method == HttpMethod.Get ? null : """{"role":"player"}""", 403);
        }
    }

    [Fact]
    public async Task Names_OfGuests_AreTextWithoutMarksOfDirection()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Owner));
        await InviteAsync(gateway, """{"name":"<script>alert(1)</script>\u202E","address":"http://192.0.2.7"}""");
        var guest = Assert.Single((await AskAsync(gateway, Owner, HttpMethod.Get, "/v2/guests")).GetProperty("guests").EnumerateArray());
        Assert.Equal("""<script>alert(1)</script>\u202E""", guest.GetProperty("name").GetString());
    }

    /// <summary>Whatever a guest has pressed, and however: the game is as before.</summary>
    [Fact]
    public async Task End_OfALink_EndsWhatIsOpenAndReleasesKeys()
    {
        await using var play = await Play.StartAsync(("Http:Token", Owner));
        var guest = await InviteAsync(play.Gateway, Invitation);
        var other = await InviteAsync(play.Gateway, Invitation);
        using var socket = await OpenAsync(play.Gateway, guest.Token);
        using var staying = await OpenAsync(play.Gateway, other.Token, "web-2");
        await socket.DoAsync("keys.set", """{"keys":["A"]}""");
        await staying.DoAsync("keys.set", """{"keys":["Left"]}""");
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Put, "/v2/keys", """{"keys":["B"]}""");
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Post, "/core/addkey?key=9", null);
        play.Client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", guest.Token);
        using var events = await EventReader.OpenAsync(play.Client, "frame/1");
        await events.NextAsync("frame");
        Assert.Equal(["A", "B", "L", "Left"], await KeysAsync(play));

        await AskAsync(play.Gateway, Owner, HttpMethod.Delete, $"/v2/guests/{guest.Id}");
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, (await socket.ClosedAsync()).Status);
        await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            while (true)
            {
                await events.NextAsync("frame");
            }
        });
        await Eventually.IsAsync(async () => await KeysAsync(play) is ["Left"]);
        var problem = await AskAsync(play.Gateway, guest.Token, HttpMethod.Get, "/v2/game", null, 401);
        Assert.EndsWith(":link-ended", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
        Assert.Contains("This link has ended.", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await staying.DoAsync("ping");
    }

    /// <summary>Presses for ten minutes, begun and waiting, of all ways, holders and connections.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Presses_OfALinkThatEndsOrChanges_End(bool ends)
    {
        await using var play = await Play.StartAsync(("Http:Token", Owner));
        var guest = await InviteAsync(play.Gateway, Invitation);
        for (var press = 0; press < 2; press++)
        {
            await AskAsync(play.Gateway, guest.Token, HttpMethod.Post, "/v2/keys/tap", """{"keys":["L"],"frames":36000}""", holder: "other");
        }

        using (var former = await OpenAsync(play.Gateway, guest.Token))
        {
            await former.DoAsync("keys.tap", """{"keys":["R"],"frames":36000}""");
        }

        using var socket = await OpenAsync(play.Gateway, guest.Token);
        await socket.DoAsync("keys.sequence", """{"sequence":"Up 36000, A 36000"}""");
        await AskAsync(play.Gateway, Owner, HttpMethod.Post, "/v2/keys/tap", """{"keys":["Left"],"frames":36000}""");
        await Eventually.IsAsync(async () => await KeysAsync(play) is ["L", "Left", "Up"]);

        await AskAsync(play.Gateway, Owner, ends ? HttpMethod.Delete : HttpMethod.Put, $"/v2/guests/{guest.Id}", ends ? null : """{"role":"viewer"}""");
        await Eventually.IsAsync(async () => await KeysAsync(play) is ["Left"]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Control_HandedOverAndTakenBack_EndsTheGuestsLease(bool isOverHttp)
    {
        await using var play = await Play.StartAsync(("Http:Token", Owner));
        var guest = await InviteAsync(play.Gateway, Invitation);
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Post, "/v2/lease", "{}", 403);
        var changed = await AskAsync(play.Gateway, Owner, HttpMethod.Put, $"/v2/guests/{guest.Id}", """{"role":"player"}""");
        Assert.Equal("player", changed.GetProperty("role").GetString());
        using var socket = await OpenAsync(play.Gateway, guest.Token);
        if (isOverHttp)
        {
            await AskAsync(play.Gateway, guest.Token, HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", holder: "q");
        }
        else
        {
            await socket.DoAsync("lease.take", """{"limitMs":10000}""");
        }

        var refused = await AskAsync(play.Gateway, Owner, HttpMethod.Put, "/v2/keys", """{"keys":["B"]}""", 423);
        Assert.Contains("DELETE /v2/lease", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
        var takenBack = Stopwatch.StartNew();
        await AskAsync(play.Gateway, Owner, HttpMethod.Put, $"/v2/guests/{guest.Id}", """{"role":"guest"}""");
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, (await socket.ClosedAsync()).Status);
        await Eventually.IsAsync(async () => await StatusAsync(play.Gateway, Owner, HttpMethod.Put, "/v2/keys", """{"keys":[]}""") == 200);
        Assert.InRange(takenBack.Elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(8)); // by itself the lease ends after its limit
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Post, "/v2/lease", "{}", 403);
        await AskAsync(play.Gateway, guest.Token, HttpMethod.Put, "/v2/keys", """{"keys":["A"]}""");
    }

    [Fact]
    public async Task List_OfGuests_SaysWhoIsConnectedAndTheirDelay()
    {
        await using var play = await Play.StartAsync(("Http:Token", Owner));
        var guest = await InviteAsync(play.Gateway, Invitation);
        using (var socket = await OpenAsync(play.Gateway, guest.Token, "ann-1"))
        {
            await socket.DoAsync("ping");
            var connection = await ConnectionAsync();
            Assert.Equal(("1", "ann-1", false), (connection.GetProperty("emulator").GetString(), connection.GetProperty("holder").GetString(), connection.TryGetProperty("delayMs", out _)));
            await socket.DoAsync("ping", """{"delayMs":12.5}""");
            Assert.Equal(12.5, (await ConnectionAsync()).GetProperty("delayMs").GetDouble());
            Assert.Equal(400, (await socket.RequestAsync("ping", """{"delayMs":-1}""")).GetProperty("problem").GetProperty("status").GetInt32());
        }

        await Eventually.IsAsync(async () => (await OnlyAsync()).GetProperty("connections").GetArrayLength() == 0);
        using var owner = await OpenAsync(play.Gateway, Owner);
        await owner.DoAsync("ping", """{"delayMs":1}""");
        Assert.Equal(0, (await OnlyAsync()).GetProperty("connections").GetArrayLength());

        async Task<JsonElement> OnlyAsync() => Assert.Single((await AskAsync(play.Gateway, Owner, HttpMethod.Get, "/v2/guests")).GetProperty("guests").EnumerateArray());
        async Task<JsonElement> ConnectionAsync() => Assert.Single((await OnlyAsync()).GetProperty("connections").EnumerateArray());
    }

    [Theory]
    [InlineData(true, 200)]
    [InlineData(false, 401)]
    public async Task Links_AfterARestart_AreValidIfTheyAreKept(bool keeps, int expected)
    {
        (string, string)[] settings = [("Http:Token", Owner), ("Http:KeepGuests", $"{keeps}"), ("Owned:DataFolder", _folder.FullName)];
        await using var fake = FakeScript.Start();
        (string Id, string Token, string Link) kept, ended;
        await using (var first = await GatewayHost.ReadyAsync(fake.Port, settings))
        {
            kept = await InviteAsync(first, Invitation);
            ended = await InviteAsync(first, Invitation);
            await AskAsync(first, Owner, HttpMethod.Put, $"/v2/guests/{kept.Id}", """{"role":"player"}""");
            await AskAsync(first, Owner, HttpMethod.Delete, $"/v2/guests/{ended.Id}");
        }

        await using (var second = await GatewayHost.ReadyAsync(fake.Port, settings))
        {
            Assert.Equal(expected, await StatusAsync(second, kept.Token, HttpMethod.Get, "/v2/status"));
            Assert.Equal(401, await StatusAsync(second, ended.Token, HttpMethod.Get, "/v2/status"));
            var listed = (await AskAsync(second, Owner, HttpMethod.Get, "/v2/guests")).GetProperty("guests").EnumerateArray().Select(one => $"{one.GetProperty("name")} {one.GetProperty("role")}");
            Assert.Equal(keeps ? ["Ann player"] : [], listed);
        }

        Assert.Equal(keeps, Directory.EnumerateFiles(_folder.FullName, GuestStore.FileName, SearchOption.AllDirectories).Any());
        if (keeps)
        {
            var file = Path.Combine(_folder.FullName, "1", GuestStore.FileName);
            Assert.DoesNotContain(kept.Token, await File.ReadAllTextAsync(file, Cancelled), StringComparison.Ordinal);
            await File.WriteAllTextAsync(file, "[{", Cancelled);
            await using var third = await GatewayHost.ReadyAsync(fake.Port, settings);
            Assert.Equal(401, await StatusAsync(third, kept.Token, HttpMethod.Get, "/v2/status"));
            await InviteAsync(third, Invitation);
        }
    }

    [Theory]
    [InlineData("[{")]
    [InlineData("[null]")]
    [InlineData("""[{"id":"1","name":null,"role":"guest","until":"2126-11-30T10:15:00Z","hash":"HASH"}]""")]
    [InlineData("""[{"id":"1","name":"Ann","role":"owner","until":"2126-11-30T10:15:00Z","hash":"HASH"}]""")]
    [InlineData("""[{"id":"1","name":"Ann","role":"guest","until":"2126-11-30T10:15:00Z","hash":"HASH"},{"id":"2","name":"Bob","role":"guest","until":"2126-11-30T10:15:00Z","hash":"0123"}]""")]
    [InlineData("""[{"id":"1","name":"Ann","role":"guest","until":"2126-11-30T10:15:00Z","hash":"HASH"}]""", 200)]
    public async Task File_ThatIsDamaged_IsSetAsideWithItsLinks(string content, int expected = 401)
    {
        const string Token = "kept-token-0123456789";
        var folder = Directory.CreateDirectory(Path.Combine(_folder.FullName, "1"));
        var file = Path.Combine(folder.FullName, GuestStore.FileName);
        content = content.Replace("HASH", Convert.ToHexString(Credential.HashOf(Token)), StringComparison.Ordinal);
        await File.WriteAllTextAsync(file, content, Cancelled);
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Owner), ("Http:KeepGuests", "true"), ("Owned:DataFolder", _folder.FullName));
        Assert.Equal(expected, await StatusAsync(gateway, Token, HttpMethod.Get, "/v2/status")); // valid beyond what a timer can wait for
        await InviteAsync(gateway, Invitation);
        Assert.Equal(expected == 401, File.Exists(file + GuestStore.Damaged));
        if (expected == 401)
        {
            Assert.Equal(content, await File.ReadAllTextAsync(file + GuestStore.Damaged, Cancelled));
        }
    }

    [Fact]
    public async Task File_ThatIsAFolder_IsNamed()
    {
        var folder = Directory.CreateDirectory(Path.Combine(_folder.FullName, "1"));
        folder.CreateSubdirectory(GuestStore.FileName);
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Owner), ("Http:KeepGuests", "true"), ("Owned:DataFolder", _folder.FullName));
        var problem = await AskAsync(gateway, Owner, HttpMethod.Post, "/v2/guests", Invitation, 507);
        Assert.Contains("guests.json is a folder", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static async Task<(string Id, string Token, string Link)> InviteAsync(GatewayHost gateway, string body)
    {
        var invited = await AskAsync(gateway, Owner, HttpMethod.Post, "/v2/guests", body);
        var link = invited.GetProperty("link").GetString()!;
        Assert.NotEmpty(invited.GetProperty("qr").EnumerateArray());
        return (invited.GetProperty("id").GetString()!, link[(link.IndexOf('=', StringComparison.Ordinal) + 1)..], link);
    }

    private static async Task<string[]> KeysAsync(Play play) =>
        [.. (await AskAsync(play.Gateway, Owner, HttpMethod.Get, "/v2/keys")).GetProperty("keys").EnumerateArray().Select(key => key.GetString()!).Order(StringComparer.Ordinal)];

    private static Task<WebSocketClient> OpenAsync(GatewayHost gateway, string token, string holder = "web-1") =>
        WebSocketClient.OpenAsync(gateway, $"/v2/ws?holder={holder}", ("Authorization", $"Bearer {token}"));

    private static async Task<int> StatusAsync(GatewayHost gateway, string? token, HttpMethod method, string path, string? json = null)
    {
        using var response = await SendAsync(gateway, token, method, path, json);
        return (int)response.StatusCode;
    }

    private static async Task<JsonElement> AskAsync(GatewayHost gateway, string? token, HttpMethod method, string path, string? json = null, int status = 200, string? holder = null)
    {
        using var response = await SendAsync(gateway, token, method, path, json, holder);
        var text = await response.Content.ReadAsStringAsync(Cancelled);
        Assert.True((int)response.StatusCode == status, $"{method} {path} {json} answered {(int)response.StatusCode}: {text}");
        return text.StartsWith('{') ? JsonDocument.Parse(text).RootElement : default;
    }

    private static async Task<HttpResponseMessage> SendAsync(GatewayHost gateway, string? token, HttpMethod method, string path, string? json, string? holder = null)
    {
        using var request = new HttpRequestMessage(method, path) { Content = json is null ? null : new StringContent(json, Encoding.UTF8, "application/json") };
        request.Headers.Authorization = token is null ? null : new AuthenticationHeaderValue("Bearer", token);
        if (holder is not null)
        {
            request.Headers.Add("Mgba-Holder", holder);
        }

        return await gateway.Client.SendAsync(request, Cancelled);
    }
}
