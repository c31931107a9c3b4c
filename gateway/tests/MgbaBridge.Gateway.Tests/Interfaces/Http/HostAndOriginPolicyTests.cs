using System.Net;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

public sealed class HostAndOriginPolicyTests
{
    private const string Token = "owner-token-0123456789";

    [Theory]
    [InlineData("Origin", "https://evil.example", HttpStatusCode.Forbidden)]
    [InlineData("Origin", "null", HttpStatusCode.Forbidden)]
    [InlineData("Origin", "http://127.0.0.1:1", HttpStatusCode.Forbidden)]
    [InlineData("Host", "evil.example", HttpStatusCode.Forbidden)]
    [InlineData("Host", "localhost.evil.example:5000", HttpStatusCode.Forbidden)]
    [InlineData("Host", "localhost:5000", HttpStatusCode.OK)]
    [InlineData("Host", "[::1]:5000", HttpStatusCode.OK)]
    [InlineData("Host", "192.168.1.5", HttpStatusCode.OK)]
    [InlineData("Sec-Fetch-Site", "cross-site", HttpStatusCode.Forbidden)]
    [InlineData("Sec-Fetch-Site", "same-origin", HttpStatusCode.OK)]
    [InlineData("Origin", "https://friend.example", HttpStatusCode.OK)]
    [InlineData("Host", "bridge.home", HttpStatusCode.OK)]
    [InlineData("Host", "a.tunnel.example:80", HttpStatusCode.OK)]
    [InlineData("Host", "tunnel.example", HttpStatusCode.Forbidden)]
    [InlineData("Host", "eviltunnel.example", HttpStatusCode.Forbidden)]
    [InlineData("Authorization", "Bearer something-that-is-no-token", HttpStatusCode.OK)]
    public async Task Request_FromAWebPageElsewhere_ChangesNothing(string header, string value, HttpStatusCode expected)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:AllowedOrigins:0", "https://friend.example"), ("Http:AllowedHosts:0", "bridge.home"), ("Http:AllowedHosts:1", "*.tunnel.example"));
        using var request = new HttpRequestMessage(HttpMethod.Put, "/v2/memory/0x5/u8") { Content = new StringContent("""{"value":1}""") };
        request.Headers.TryAddWithoutValidation(header, value);
        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(expected, response.StatusCode);
        Assert.Equal(expected == HttpStatusCode.OK ? 1 : 0, fake.Requests.Count(sent => sent.Command == "memory.write8"));
    }

    [Theory]
    [InlineData("/v2/events?topics=frame/1", HttpStatusCode.Forbidden, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors")]
    [InlineData("/v2/events?topics=frame/1", HttpStatusCode.Forbidden, "Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: no-cors")]
    [InlineData("/v2/screen/stream", HttpStatusCode.Forbidden, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")]
    [InlineData("/v2/screen/stream", HttpStatusCode.Forbidden, "Sec-Fetch-Site: cross-site", "Referer: https://evil.example/")]
    [InlineData("/v2/events?topics=frame/1", HttpStatusCode.Forbidden, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")]
    [InlineData("/docs/index.html", HttpStatusCode.OK, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")]
    [InlineData("/docs/index.html", HttpStatusCode.Forbidden, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")]
    [InlineData("/v2/status", HttpStatusCode.OK, "Sec-Fetch-Site: same-origin")]
    [InlineData("/v2/status", HttpStatusCode.OK, "Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")]
    [InlineData("/v2/status", HttpStatusCode.OK, "Sec-Fetch-Site: cross-site", "Referer: https://friend.example/page?x=1")]
    [InlineData("/v2/status", HttpStatusCode.OK)]
    public async Task Read_FromAWebPageElsewhere_ReachesNothing(string path, HttpStatusCode expected, params string[] headers)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:AllowedOrigins:0", "https://friend.example"));
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        foreach (var header in headers)
        {
            request.Headers.TryAddWithoutValidation(header.Split(": ")[0], header.Split(": ")[1]);
        }

        using var response = await gateway.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, TestContext.Current.CancellationToken);
        Assert.Equal(expected, response.StatusCode);
        Assert.DoesNotContain(fake.Requests, sent => sent.Command is "watch" or "screen.get");
    }

    /// <summary>A page that gives its own name our address has no token, and a page elsewhere says its origin.</summary>
    [Theory]
    [InlineData("evil.example", Token, null, HttpStatusCode.OK)]
    [InlineData("host.docker.internal:5000", Token, null, HttpStatusCode.OK)]
    [InlineData("evil.example", null, null, HttpStatusCode.Forbidden)]
    [InlineData("evil.example", "another-token-0123456789", null, HttpStatusCode.Forbidden)]
    [InlineData("evil.example", Token, "http://evil.example", HttpStatusCode.Forbidden)]
    [InlineData("evil.example", Token, "null", HttpStatusCode.Forbidden)]
    [InlineData("localhost", Token, "http://evil.example", HttpStatusCode.Forbidden)]
    [InlineData("localhost", null, null, HttpStatusCode.Unauthorized)]
    public async Task Request_WithAToken_IsServedWhateverItsHostUnlessAPageSentIt(string host, string? token, string? origin, HttpStatusCode expected)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Token));
        for (var round = 0; round < 2; round++) // the second time the connection is known
        {
            using var request = new HttpRequestMessage(HttpMethod.Put, "/v2/memory/0x5/u8") { Content = new StringContent("""{"value":1}""") };
            request.Headers.TryAddWithoutValidation("Host", host);
            foreach (var (name, value) in new[] { ("Authorization", token is null ? null : $"Bearer {token}"), ("Origin", origin) }.Where(header => header.Item2 is not null))
            {
                request.Headers.TryAddWithoutValidation(name, value);
            }

            using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
            Assert.Equal(expected, response.StatusCode);
        }

        Assert.Equal(expected == HttpStatusCode.OK ? 2 : 0, fake.Requests.Count(sent => sent.Command == "memory.write8"));
    }

    [Theory]
    [InlineData("play.example.com", null, "Bridge__Http__AllowedHosts__0=play.example.com\nBridge__Http__AllowedOrigins__0=https://play.example.com")]
    [InlineData("play.example.com", "https://play.example.com", "Bridge__Http__AllowedHosts__0=play.example.com\nBridge__Http__AllowedOrigins__0=https://play.example.com")]
    [InlineData("localhost", "https://play.example.com", "Bridge__Http__AllowedOrigins__0=https://play.example.com")]
    [InlineData("localhost", "null", "http://127.0.0.1:8000.")]
    [InlineData("localhost", "file://", "http://127.0.0.1:8000.")]
    public async Task Refusal_OfAPage_SaysWhatToSet(string host, string? origin, string end)
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var request = new HttpRequestMessage(HttpMethod.Get, "/v2/status");
        request.Headers.TryAddWithoutValidation("Host", host);
        if (origin is not null)
        {
            request.Headers.TryAddWithoutValidation("Origin", origin);
        }

        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
        var problem = System.Text.Json.JsonDocument.Parse(await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        Assert.EndsWith(end, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Page_OfTheGatewayItself_MayDoEverything()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        using var request = new HttpRequestMessage(HttpMethod.Put, "/v2/memory/0x5/u8") { Content = new StringContent("""{"value":1}""") };
        request.Headers.TryAddWithoutValidation("Origin", gateway.Client.BaseAddress!.GetLeftPart(UriPartial.Authority));
        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
    }

    [Fact]
    public async Task Browser_AskingForAnAllowedOrigin_IsToldWhatItMay()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Http:AllowedOrigins:0", "https://friend.example"));
        using var request = new HttpRequestMessage(HttpMethod.Options, "/v2/keys") { Headers = { { "Origin", "https://friend.example" }, { "Access-Control-Request-Method", "PUT" } } };
        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.NoContent, response.StatusCode);
        Assert.Equal("https://friend.example", response.Headers.GetValues("Access-Control-Allow-Origin").Single());
        Assert.Contains("Mgba-Holder", response.Headers.GetValues("Access-Control-Allow-Headers").Single(), StringComparison.Ordinal);
    }
}
