using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

public sealed class EndpointTests
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("hello", "hello")]
    [InlineData("a+b%20c%2Bd", "a b c+d")]
    [InlineData("", "")]
    [InlineData("%3C%7CEND%7C%3E%0A%00", "<|END|>\n\0")]
    [InlineData("100%25%zz%", "100%%zz%")]
    [InlineData("%C3%BC%E2%82%AC", "ü€")]
    public async Task Echo_OfAnyText_ComesBackByteForByte(string sent, string expected)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var answer = await gateway.Client.GetAsync(new Uri($"/mgbaendpoint?message={sent}", UriKind.Relative), Cancelled);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal(Encoding.UTF8.GetBytes(expected), await answer.Content.ReadAsByteArrayAsync(Cancelled));
    }

    [Theory]
    [InlineData("PUT /v2/state", "application/octet-stream")]
    [InlineData("POST /v2/keys/tap", "application/json")]
    [InlineData("POST /v2/keys/tap", "application/json", "Idempotency-Key: a-key\r\n")]
    [InlineData("POST /v2/roms?name=a.gba", "application/octet-stream")]
    [InlineData("POST /mcp", "application/json", "Accept: application/json, text/event-stream\r\n")]
    public async Task Body_CutByAReset_IsNoFailureOfTheGateway(string request, string contentType, string headers = "")
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayProcess.ReadyAsync(fake.Port, "--http-port=0");
        var port = await gateway.ListensAsync();
        for (var time = 0; time < 25; time++)
        {
            using var caller = new Socket(SocketType.Stream, ProtocolType.Tcp) { LingerState = new LingerOption(true, 0) };
            await caller.ConnectAsync(IPAddress.Loopback, port, Cancelled);
            await caller.SendAsync(Encoding.ASCII.GetBytes($"{request} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {contentType}\r\nContent-Length: 100\r\n{headers}\r\n{{\"key"), Cancelled);
            await Task.Delay(10, Cancelled); // the gateway waits for the rest
        }

        Assert.Equal(0, await gateway.TerminateAsync());
        Assert.DoesNotContain(gateway.Said, line => line.StartsWith("fail:", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("/v2/screen?scal=2", "There is no query parameter \"scal\". Did you mean scale? GET /v2/screen takes scale, format.")]
    [InlineData("/v2/screen?SCALE=9", "scale")]
    [InlineData("/v2/game?format=raw", "There is no query parameter \"format\": GET /v2/game takes none.")]
    public async Task Query_WithAParameterThatThePathDoesNotTake_IsRefused(string path, string detail)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var answer = await gateway.Client.GetAsync(new Uri(path, UriKind.Relative), Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Contains(detail, (await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled)).GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GET", "/v2/nothing", 404, "no-such-path", "There is no path /v2/nothing.")]
    [InlineData("GET", "/i/1/nothing", 404, "no-such-path", "There is no path /i/1/nothing.")]
    [InlineData("GET", "/v2/keys/tap", 405, "wrong-method", "/v2/keys/tap takes POST, not GET.")]
    public async Task Path_ThatNobodyServes_IsAProblemToo(string method, string path, int status, string name, string detail)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path);
        using var answer = await gateway.Client.SendAsync(request, Cancelled);
        Assert.Equal(status, (int)answer.StatusCode);
        Assert.Equal(status == 405, answer.Content.Headers.Allow.Count > 0);
        var problem = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal($"urn:mgba-bridge:problem:{name}", problem.GetProperty("type").GetString());
        Assert.StartsWith(detail, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(65_536, HttpStatusCode.OK)]
    [InlineData(65_537, HttpStatusCode.RequestEntityTooLarge)]
    public async Task Echo_AtItsLimit_IsAnswered(int length, HttpStatusCode status)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var message = string.Concat(Enumerable.Repeat("%7C", length));
        var answer = await gateway.Client.GetAsync(new Uri($"/mgbaendpoint?message={message}", UriKind.Relative), Cancelled);
        Assert.Equal(status, answer.StatusCode);
    }

    [Fact]
    public async Task Memory_WrittenAndRead_HasFrameAndEpochInBodyAndHeaders()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        using var put = await gateway.Client.PutAsJsonAsync("/v2/memory/0x02000010/u16", new { value = 0x1234 }, Cancelled);
        Assert.Equal(HttpStatusCode.OK, put.StatusCode);
        var answer = await gateway.Client.GetAsync(new Uri("/i/1/v2/memory/0x02000010/u16", UriKind.Relative), Cancelled);
        var body = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal(0x1234, body.GetProperty("value").GetInt64());
        Assert.Equal("0x02000010", body.GetProperty("location").GetString());
        Assert.Equal(body.GetProperty("frame").GetInt64().ToString(System.Globalization.CultureInfo.InvariantCulture), Assert.Single(answer.Headers.GetValues("Mgba-Frame")));
        Assert.Equal(body.GetProperty("epoch").GetString(), Assert.Single(answer.Headers.GetValues("Mgba-Epoch")));
    }

    [Fact]
    public async Task Memory_OfARange_IsRawOrBase64AsAskedFor()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var bytes = new byte[50_000];
        Random.Shared.NextBytes(bytes);
        using var content = new ByteArrayContent(bytes);
        using var put = await gateway.Client.PutAsync(new Uri("/v2/memory/0", UriKind.Relative), content, Cancelled);
        Assert.Equal(HttpStatusCode.OK, put.StatusCode);

        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/memory/0?length=50000");
        request.Headers.Accept.ParseAdd("application/octet-stream");
        var raw = await gateway.Client.SendAsync(request, Cancelled);
        Assert.Equal(bytes, await raw.Content.ReadAsByteArrayAsync(Cancelled));
        var json = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/memory/0?length=50000", Cancelled);
        Assert.Equal(bytes, json.GetProperty("bytes").GetBytesFromBase64());
    }

    [Fact]
    public async Task Memory_BodyBeyondTheSetting_Is413()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:MaxBody", "2048"));
        using var content = new ByteArrayContent(new byte[2_049]);
        using var put = await gateway.Client.PutAsync(new Uri("/v2/memory/0", UriKind.Relative), content, Cancelled);
        Assert.Equal(HttpStatusCode.RequestEntityTooLarge, put.StatusCode);
        Assert.Empty(fake.Memory.Writes);
    }

    [Theory]
    [InlineData("/v2/memory/zzz/u8", HttpStatusCode.BadRequest, "bad-request")]
    [InlineData("/v2/memory/0", HttpStatusCode.BadRequest, "bad-request")]
    [InlineData("/v2/memory/0?length=-1", HttpStatusCode.BadRequest, "bad-request")]
    [InlineData("/mgbaendpoint", HttpStatusCode.BadRequest, "bad-request")]
    [InlineData("/i/nobody/v2/status", HttpStatusCode.NotFound, "no-such-emulator")]
    [InlineData("/i/nobody/v2/memory/0/u8", HttpStatusCode.NotFound, "no-such-emulator")]
    public async Task Request_ThatIsWrong_GetsAProblemAndSendsNothing(string path, HttpStatusCode status, string problem)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var answer = await gateway.Client.GetAsync(new Uri(path, UriKind.Relative), Cancelled);
        Assert.Equal(status, answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
        var body = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal($"urn:mgba-bridge:problem:{problem}", body.GetProperty("type").GetString());
        Assert.NotEmpty(body.GetProperty("traceId").GetString()!);
        Assert.DoesNotContain(fake.Requests, request => request.Command.StartsWith("memory", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("POST", "/v2/keys/tap", "keys.tap", """{"keys":["A"],"keys":["B"]}""")]
    [InlineData("PUT", "/v2/memory/0x02000000/u8", null, """{"value":1,"value":2}""")]
    [InlineData("POST", "/v2/batch", "batch", """{"items":[{"tap":{"keys":["A"]},"tap":{"keys":["B"]}}]}""")]
    [InlineData("POST", "/v2/batch", "batch", """{"items":[{"tap":{"keys":["A"],"frames":1,"frames":2}}]}""")]
    [InlineData("POST", "/v2/lease/step", "lease.step", """{"frames":1,"frames":2}""")]
    public async Task Property_ThatIsThereTwice_IsRefusedAndNothingIsSent(string method, string path, string? operation, string body)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        using var request = new HttpRequestMessage(HttpMethod.Parse(method), path) { Content = new StringContent(body, Encoding.UTF8, "application/json") };
        using var answer = await gateway.Client.SendAsync(request, Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        if (operation is not null)
        {
            using var socket = await WebSocketClient.OpenAsync(gateway);
            Assert.Equal(400, (await socket.RequestAsync(operation, body)).GetProperty("problem").GetProperty("status").GetInt32());
            await socket.SendAsync($$"""{"id":9,"op":"{{operation}}","op":"ping"}""");
            Assert.Equal(400, (await socket.AnswerAsync(9)).GetProperty("problem").GetProperty("status").GetInt32());
        }

        Assert.All(fake.Requests, sent => Assert.Contains(sent.Command, new[] { "hello", "ping" }));
    }

    [Fact]
    public async Task Refusal_OfTheScript_IsAProblemWithItsCode()
    {
        await using var fake = FakeScript.Start(new FakeBehaviour { Answer = _ => FakeReply.Refuse("not-found", "slot 3 is empty") });
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        var answer = await gateway.Client.GetAsync(new Uri("/v2/memory/0/u8", UriKind.Relative), Cancelled);
        var body = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal(404, (int)answer.StatusCode);
        Assert.Equal(("urn:mgba-bridge:problem:rejected", "not-found", "slot 3 is empty", "1"), (Text(body, "type"), Text(body, "code"), Text(body, "detail"), Text(body, "emulator")));
    }

    [Fact]
    public async Task Emulator_ThatIsGone_MakesProblemsNotReadyAndAStatusThatSaysWhatToDo()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        var answer = await gateway.Client.GetAsync(new Uri("/v2/memory/0/u8", UriKind.Relative), Cancelled);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, answer.StatusCode);
        Assert.Equal("1", Assert.Single(answer.Headers.GetValues("Retry-After")));
        var body = await answer.Content.ReadFromJsonAsync<JsonElement>(Cancelled);
        Assert.Equal(FailureTable.Of(CommandFailureKind.ConnectFailed).ProblemType, Text(body, "type"));
        Assert.Contains("mgba-bridge.lua", Text(body, "detail"), StringComparison.Ordinal);

        await Eventually.Is(() => gateway.Emulators.First.Health.State == Client.Emulator.EmulatorState.ScriptMissing);
        var ready = await gateway.Client.GetAsync(new Uri("/readyz", UriKind.Relative), Cancelled);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, ready.StatusCode);
        var status = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/status", Cancelled);
        Assert.Equal("script-missing", Text(status, "state"));
        var healthy = await gateway.Client.GetAsync(new Uri("/healthz", UriKind.Relative), Cancelled);
        Assert.Equal(HttpStatusCode.OK, healthy.StatusCode);
    }

    [Fact]
    public async Task Emulators_SeveralOfThem_AreToldApartByPath()
    {
        await using var first = FakeScript.Start();
        await using var second = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(
            first.Port, ("Emulators:0:Id", "red"), ("Emulators:1:Id", "blue"), ("Emulators:1:Port", second.Port.ToString(System.Globalization.CultureInfo.InvariantCulture)));
        using var put = await gateway.Client.PutAsJsonAsync("/i/blue/v2/memory/5/u8", new { value = 7 }, Cancelled);
        Assert.Equal(HttpStatusCode.OK, put.StatusCode);
        Assert.Equal((0, 7), (first.Memory[5], second.Memory[5]));
        var list = await gateway.Client.GetFromJsonAsync<JsonElement>("/v2/emulators", Cancelled);
        Assert.Equal(["red", "blue"], list.EnumerateArray().Select(one => Text(one, "id")));
    }

    [Fact]
    public async Task Plaintext_IsAConstant()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        Assert.Equal("Hello, World!", await gateway.Client.GetStringAsync(new Uri("/plaintext", UriKind.Relative), Cancelled));
    }

    private static string? Text(JsonElement body, string name) => body.GetProperty(name).GetString();
}
