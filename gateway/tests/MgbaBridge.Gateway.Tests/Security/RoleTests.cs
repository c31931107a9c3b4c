using System.Net;
using System.Net.Http.Headers;
using System.Net.WebSockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Security;

/// <summary>What each role may do, on every interface.</summary>
public sealed class RoleTests(SharedPlay shared) : IClassFixture<SharedPlay>
{
    private const string Viewer = "viewer-token-0123456789";
    private const string Guest = "guest-token-0123456789";
    private const string Player = "player-token-0123456789";
    private const string Owner = "owner-token-0123456789";

    private static readonly (string, string)[] Tokens =
    [
        ("Http:Tokens:0", Credential.SettingOf(Role.Viewer, Viewer)),
        ("Http:Tokens:1", Credential.SettingOf(Role.Player, Player)),
        ("Http:Tokens:2", Credential.SettingOf(Role.Owner, Owner)),
        ("Http:Tokens:3", Credential.SettingOf(Role.Guest, Guest)),
    ];

    private static readonly (string Token, Role Role)[] Callers = [(Viewer, Role.Viewer), (Guest, Role.Guest), (Player, Role.Player), (Owner, Role.Owner)];

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    /// <summary>All of them, not some: a new operation is refused to weaker roles without a line of its own.</summary>
    [Fact]
    public async Task Operations_OverHttp_NeedTheirRole()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, Tokens);
        var answered = new HashSet<HttpStatusCode>();
        foreach (var operation in OperationCatalog.All.Where(operation => !operation.IsWithoutToken))
        {
            foreach (var (token, _) in Callers.Where(caller => caller.Role < operation.Access.Role()))
            {
                using var refused = await SendAsync(gateway, token, operation.Method, operation.Path, "{}");
                var problem = JsonDocument.Parse(await refused.Content.ReadAsStringAsync(Cancelled)).RootElement;
                Assert.Equal((operation.Name, HttpStatusCode.Forbidden), (operation.Name, refused.StatusCode));
                Assert.EndsWith(":role-needed", problem.GetProperty("type").GetString(), StringComparison.Ordinal);
                Assert.Contains($"the role {operation.Access.Role().Name()};", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
            }

            using var unknown = await SendAsync(gateway, null, operation.Method, operation.Path, "{}");
            Assert.Equal((operation.Name, HttpStatusCode.Unauthorized), (operation.Name, unknown.StatusCode));
        }

        // nothing of it reached the emulator
        Assert.All(fake.Requests, sent => Assert.Contains(sent.Command, new[] { "hello", "ping" }));
    }

    [Theory]
    [InlineData("/v2/keys/sequence", """{"sequence":"A 1, tilt 10/0 1"}""")]
    [InlineData("/v2/batch", """{"items":[{"sequence":{"sequence":"A light 1 1"}}]}""")]
    public async Task Sequences_WithSensors_NeedTheRoleOfThose(string path, string body)
    {
        var play = await shared.PlayAsync(Tokens);
        using var refused = await SendAsync(play.Gateway, Guest, "POST", path, body);
        Assert.Equal(HttpStatusCode.Forbidden, refused.StatusCode);
        using var keys = await SendAsync(play.Gateway, Guest, "POST", "/v2/keys/sequence", """{"sequence":"A 1"}""");
        using var sensors = await SendAsync(play.Gateway, Player, "POST", path, body);
        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.OK), (keys.StatusCode, sensors.StatusCode));
    }

    /// <summary>The page offers what this list allows.</summary>
    [Fact]
    public async Task ListOfOperations_ForEachRole_SaysWhatItMayDo()
    {
        var play = await shared.PlayAsync(Tokens);
        foreach (var (token, role) in Callers)
        {
            using var response = await SendAsync(play.Gateway, token, "GET", "/v2/operations", null);
            var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Cancelled)).RootElement;
            Assert.Equal(role.Name(), answer.GetProperty("role").GetString());
            var listed = answer.GetProperty("operations").EnumerateArray().ToDictionary(one => one.GetProperty("name").GetString()!);
            Assert.All(OperationCatalog.All, operation => Assert.Equal(
                (operation.Name, operation.Access.Role().Name(), role >= operation.Access.Role()),
                (operation.Name, listed[operation.Name].GetProperty("role").GetString(), listed[operation.Name].GetProperty("allowed").GetBoolean())));
        }
    }

    /// <summary>What is no operation has a role too: mGBA-http's paths by their method, all else at least viewer.</summary>
    [Fact]
    public async Task Endpoints_OfAllKinds_NeedARole()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, Tokens);
        var endpoints = gateway.Services.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>().ToArray();
        Assert.NotEmpty(endpoints);
        foreach (var endpoint in endpoints)
        {
            var path = string.Concat(endpoint.RoutePattern.PathSegments.Select(segment => "/" + string.Concat(segment.Parts.Select(part => part is Microsoft.AspNetCore.Routing.Patterns.RoutePatternLiteralPart text ? text.Content : "1"))));
            foreach (var method in endpoint.Metadata.GetMetadata<IHttpMethodMetadata>()?.HttpMethods ?? ["GET"])
            {
                using var unknown = await SendAsync(gateway, null, method, path == "" ? "/" : path, null);
                var isOpen = endpoint.Metadata.GetMetadata<RequiredRole>() is { Role: Role.None };
                Assert.Equal(($"{method} {path}", isOpen), ($"{method} {path}", unknown.StatusCode != HttpStatusCode.Unauthorized));
            }
        }

        foreach (var path in new[] { "/docs/index.html", "/docs", "/openapi/v1.json", "/no/such/path", "/v2/none", "/i/1/none" })
        {
            using var unknown = await SendAsync(gateway, null, "GET", path, null);
            Assert.Equal((path, HttpStatusCode.Unauthorized), (path, unknown.StatusCode));
        }

        Assert.All(fake.Requests, sent => Assert.Contains(sent.Command, new[] { "hello", "ping" }));
    }

    [Theory]
    [InlineData("GET", "/core/getgametitle", Viewer, 200)]
    [InlineData("POST", "/mgba-http/button/tap?button=A", Viewer, 403)]
    [InlineData("POST", "/mgba-http/button/tap?button=A", Guest, 200)]
    [InlineData("POST", "/mgba-http/button/tap?button=A", Player, 200)]
    [InlineData("POST", "/core/addkey?key=0", Player, 200)]
    [InlineData("POST", "/core/write8?address=0x02001000&value=1", Player, 403)]
    [InlineData("POST", "/core/write8?address=0x02001000&value=1", Owner, 200)]
    [InlineData("POST", "/i/1/core/write8?address=0x02001000&value=1", Player, 403)]
    [InlineData("POST", "/coreadapter/reset", Player, 403)]
    [InlineData("POST", "/core/loadfile?path=x", Player, 403)]
    [InlineData("POST", "/core/loadstatebuffer", Player, 403)]
    [InlineData("POST", "/core/loadstatebuffer", Owner, 415)]
    public async Task Paths_OfMgbaHttp_NeedTheirRole(string method, string path, string token, int expected)
    {
        var play = await shared.PlayAsync(Tokens);
        using var response = await SendAsync(play.Gateway, token, method, path, path.EndsWith("buffer", StringComparison.Ordinal) ? "{}" : null);
        Assert.Equal(expected, (int)response.StatusCode);
    }

    [Fact]
    public async Task RecordingsAndSearches_OfAnotherToken_MayBeDeletedByEachPlayer()
    {
        await using var play = await Play.StartAsync(Tokens);
        foreach (var (resource, body) in new[] { ("/v2/searches", """{"type":"u32"}"""), ("/v2/recordings", "{}") })
        {
            using var started = await SendAsync(play.Gateway, Owner, "POST", resource, body);
            var text = await started.Content.ReadAsStringAsync(Cancelled);
            Assert.True(started.IsSuccessStatusCode, text);
            var one = $"{resource}/{JsonDocument.Parse(text).RootElement.GetProperty("id").GetString()}";
            using var viewer = await SendAsync(play.Gateway, Viewer, "DELETE", one, null);
            Assert.Equal(HttpStatusCode.Forbidden, viewer.StatusCode);
            using var player = await SendAsync(play.Gateway, Player, "DELETE", one, null);
            Assert.Equal(HttpStatusCode.OK, player.StatusCode);
        }
    }

    [Theory]
    [InlineData("""{"items":[{"read":{"location":"0x02000000","type":"u8"}}]}""", Viewer, 200)]
    [InlineData("""{"items":[{"guard":{"location":"0x02000000","type":"u8","value":77}},{"read":{"location":"0x02000000","type":"u8"}}]}""", Viewer, 200)]
    [InlineData("""{"items":[{"read":{"location":"0x02000000","type":"u8"}},{"tap":{"keys":["A"]}}]}""", Viewer, 403)]
    [InlineData("""{"items":[{"read":{"location":"0x02000000","type":"u8"}},{"tap":{"keys":["A"]}}]}""", Player, 200)]
    [InlineData("""{"items":[{"read":{"location":"0x02000000","type":"u8"}}],"after":1}""", Viewer, 403)]
    [InlineData("""{"items":[{"tap":{"keys":["A"]}},{"write":{"location":"0x02001000","type":"u8","value":1}}]}""", Player, 403)]
    [InlineData("""{"items":[{"reset":true}]}""", Player, 403)]
    [InlineData("""{"items":[{"tap":{"keys":["A"]}},{"write":{"location":"0x02001000","type":"u8","value":1}}]}""", Owner, 200)]
    public async Task Batch_OverHttpAndWebSocket_NeedsTheRoleOfItsItems(string batch, string token, int expected)
    {
        await using var play = await Play.StartAsync(Tokens);
        using var response = await SendAsync(play.Gateway, token, "POST", "/v2/batch", batch);
        Assert.Equal(expected, (int)response.StatusCode);
        using var socket = await WebSocketClient.OpenAsync(play.Gateway, "/v2/ws", ("Authorization", $"Bearer {token}"));
        Assert.Equal(expected, StatusOf(await socket.RequestAsync("batch.run", batch)));
    }

    [Fact]
    public async Task Steps_WithItems_NeedTheRoleOfTheItems()
    {
        const string Read = """{"frames":1,"items":[{"read":{"location":"0x02000008","type":"u32"}}]}""";
        const string Write = """{"frames":1,"items":[{"write":{"location":"0x02001000","type":"u8","value":1}}]}""";
        await using var play = await Play.StartAsync(Tokens);
        using var viewer = await WebSocketClient.OpenAsync(play.Gateway, "/v2/ws", ("Authorization", $"Bearer {Viewer}"));
        Assert.Equal(403, StatusOf(await viewer.RequestAsync("lease.take")));
        using var guest = await WebSocketClient.OpenAsync(play.Gateway, "/v2/ws", ("Authorization", $"Bearer {Guest}"));
        await guest.DoAsync("keys.set", """{"keys":["A"]}""");
        Assert.Equal(403, StatusOf(await guest.RequestAsync("lease.take")));
        Assert.Equal(403, StatusOf(await guest.RequestAsync("lease.step", Read)));
        using var socket = await WebSocketClient.OpenAsync(play.Gateway, "/v2/ws", ("Authorization", $"Bearer {Player}"));
        await socket.DoAsync("lease.take", """{"limitMs":10000}""");
        for (var round = 0; round < 2; round++)
        {
            // the second time the items are known by their text
            Assert.Equal(200, StatusOf(await socket.RequestAsync("lease.step", Read)));
            Assert.Equal(403, StatusOf(await socket.RequestAsync("lease.step", Write)));
        }

        var holder = socket.Hello.GetProperty("holder").GetString()!;
        using var overHttp = await SendAsync(play.Gateway, Player, "POST", "/v2/lease/step", Write, ("Mgba-Holder", holder));
        Assert.Equal(HttpStatusCode.Forbidden, overHttp.StatusCode);
        using var read = await SendAsync(play.Gateway, Player, "POST", "/v2/lease/step", Read, ("Mgba-Holder", holder));
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
    }

    [Fact]
    public async Task Operations_OverWebSocket_NeedTheirRole()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, Tokens);
        foreach (var (token, role) in Callers)
        {
            using var socket = await WebSocketClient.OpenAsync(gateway, "/v2/ws", ("Authorization", $"Bearer {token}"));
            foreach (var operation in OperationCatalog.All.Where(operation => !operation.IsHttpOnly && role < operation.Access.Role()))
            {
                Assert.Equal((operation.Name, 403), (operation.Name, StatusOf(await socket.RequestAsync(operation.Name))));
            }

            // the bytes of a refused request are not a request of their own
            if (role < Role.Owner)
            {
                Assert.Equal(403, StatusOf(await socket.RequestAsync("state.load", binary: true)));
                await socket.SendAsync([1, 2, 3]);
                Assert.Equal(400, StatusOf(await socket.RequestAsync("no.such.operation")));
            }
        }

        Assert.All(fake.Requests, sent => Assert.Contains(sent.Command, new[] { "hello", "ping" }));
    }

    [Fact]
    public async Task WebSocket_OfABrowser_TakesTheTokenAsSubprotocol()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, Tokens);
        Assert.Equal(HttpStatusCode.SwitchingProtocols, await UpgradeAsync(gateway, Player));
        Assert.Equal(HttpStatusCode.Unauthorized, await UpgradeAsync(gateway, Player + "x"));
    }

    [Fact]
    public async Task IdempotentResponse_OfAnotherToken_IsNotSent()
    {
        await using var play = await Play.StartAsync(Tokens);
        (string, string) key = ("Idempotency-Key", "one");
        using var first = await SendAsync(play.Gateway, Owner, "PUT", "/v2/memory/0x02001000/u8", """{"value":1}""", key);
        using var again = await SendAsync(play.Gateway, Owner, "PUT", "/v2/memory/0x02001000/u8", """{"value":1}""", key);
        Assert.True(again.Headers.Contains("Idempotency-Replayed"));
        using var weaker = await SendAsync(play.Gateway, Player, "PUT", "/v2/memory/0x02001000/u8", """{"value":1}""", key);
        Assert.Equal(HttpStatusCode.Forbidden, weaker.StatusCode);
        const string Batch = """{"items":[{"write":{"location":"0x02001000","type":"u8","value":1}}]}""";
        using var batch = await SendAsync(play.Gateway, Owner, "POST", "/v2/batch", Batch, ("Idempotency-Key", "two"));
        Assert.Equal(HttpStatusCode.OK, batch.StatusCode);
        using var replayed = await SendAsync(play.Gateway, Player, "POST", "/v2/batch", Batch, ("Idempotency-Key", "two"));
        Assert.Equal(HttpStatusCode.Forbidden, replayed.StatusCode);
    }

    [Fact]
    public async Task Connection_OfATokenWithAWeakerOneNext_HasTheRoleOfEach()
    {
        await using var play = await Play.StartAsync(Tokens);
        foreach (var (token, expected) in new[] { (Owner, 200), (Player, 403), (Owner, 200), ("nobody", 401), (Viewer, 403), (Owner, 200) })
        {
            using var response = await SendAsync(play.Gateway, token, "PUT", "/v2/memory/0x02001000/u8", """{"value":1}""");
            Assert.Equal(expected, (int)response.StatusCode);
        }
    }

    [Fact]
    public async Task Tokens_ThatChange_AreValidAtOnceAndEndWhatIsOpen()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, Tokens);
        var store = gateway.Services.GetRequiredService<CredentialStore>();
        gateway.Client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Viewer);
        using var events = await EventReader.OpenAsync(gateway.Client, "frame/1");
        await events.NextAsync("frame");
        using var viewer = await WebSocketClient.OpenAsync(gateway, "/v2/ws", ("Authorization", $"Bearer {Viewer}"));
        using var player = await WebSocketClient.OpenAsync(gateway, "/v2/ws", ("Authorization", $"Bearer {Player}"));
        await viewer.DoAsync("ping");

        const string Next = "another-token-0123456789";
        store.Change(null, [Credential.SettingOf(Role.Player, Player), Credential.SettingOf(Role.Viewer, Next)]);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, (await viewer.ClosedAsync()).Status);
        await Assert.ThrowsAnyAsync<Exception>(async () =>
        {
            while (true)
            {
                await events.NextAsync("frame");
            }
        });
        await player.DoAsync("ping");
        foreach (var (token, expected) in new[] { (Viewer, 401), (Owner, 401), (Player, 200), (Next, 200) })
        {
            using var response = await SendAsync(gateway, token, "GET", "/v2/status", null);
            Assert.Equal((token, expected), (token, (int)response.StatusCode));
        }
    }

    [Fact]
    public async Task Tokens_SetWhileTheGatewayRuns_EndWhatWasOpenWithout()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port);
        using var socket = await WebSocketClient.OpenAsync(gateway);
        await socket.DoAsync("memory.write", """{"location":"0x02001000","type":"u8","value":1}""");
        gateway.Services.GetRequiredService<CredentialStore>().Change(Owner, []);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, (await socket.ClosedAsync()).Status);
        using var unknown = await SendAsync(gateway, null, "GET", "/v2/status", null);
        using var known = await SendAsync(gateway, Owner, "GET", "/v2/status", null);
        Assert.Equal((HttpStatusCode.Unauthorized, HttpStatusCode.OK), (unknown.StatusCode, known.StatusCode));
    }

    private static int StatusOf(JsonElement answer) => answer.TryGetProperty("problem", out var problem) ? problem.GetProperty("status").GetInt32() : 200;

    private static async Task<HttpStatusCode> UpgradeAsync(GatewayHost gateway, string token)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/ws");
        request.Headers.Connection.Add("Upgrade");
        request.Headers.Upgrade.ParseAdd("websocket");
        request.Headers.Add("Sec-WebSocket-Version", "13");
        request.Headers.Add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
        request.Headers.Add("Sec-WebSocket-Protocol", $"mgba-bridge, bearer.{System.Buffers.Text.Base64Url.EncodeToString(Encoding.UTF8.GetBytes(token))}");
        using var response = await gateway.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Cancelled);
        return response.StatusCode;
    }

    private static async Task<HttpResponseMessage> SendAsync(GatewayHost gateway, string? token, string method, string path, string? json, params (string Name, string Value)[] headers)
    {
        var plain = System.Text.RegularExpressions.Regex.Replace(path, "{[^}]*}", "1");
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), plain);
        if (token is not null)
        {
            request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        }

        if (json is not null && method is not ("GET" or "HEAD"))
        {
            request.Content = new StringContent(json, Encoding.UTF8, "application/json");
        }

        foreach (var (name, value) in headers)
        {
            request.Headers.Add(name, value);
        }

        return await gateway.Client.SendAsync(request, Cancelled);
    }
}
