using System.Diagnostics;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

public sealed class ConventionsTests
{
    private const string Token = "correct-horse-battery-staple";
    private const string Trace = "4bf92f3577b34da6a3ce929d0e0e4736";

    [Theory]
    [InlineData("X-Correlation-ID", "order-17", "order-17")]
    [InlineData("traceparent", $"00-{Trace}-00f067aa0ba902b7-01", Trace)]
    [InlineData("X-Correlation-ID", "has a space", null)]
    [InlineData("traceparent", "nonsense", null)]
    public async Task Correlation_OfTheCaller_ComesBackAndIsQuoted(string header, string value, string? expected)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port);
        using var fine = await GetAsync(gateway.Client, "/v2/memory/0x5/u8", (header, value));
        Assert.Equal(expected, fine.Headers.TryGetValues("X-Correlation-ID", out var said) ? said.Single() : null);
        using var wrong = await GetAsync(gateway.Client, "/v2/memory/here/u8", (header, value));
        var problem = JsonDocument.Parse(await wrong.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)).RootElement;
        Assert.Equal(wrong.Headers.GetValues("X-Correlation-ID").Single(), problem.GetProperty("traceId").GetString());
        Assert.True(expected is null || problem.GetProperty("traceId").GetString() == expected);
    }

    [Theory]
    [InlineData("wait=60", "wait=60")]
    [InlineData("respond-async, wait=60", "wait=60")]
    [InlineData("wait=0", null)]
    [InlineData("wait=soon", null)]
    public async Task Prefer_ToWaitSoLong_IsTakenOrIgnored(string prefer, string? applied)
    {
        await using var play = await Play.StartAsync();
        using var response = await GetAsync(play.Client, "/v2/game", ("Prefer", prefer));
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(applied, response.Headers.TryGetValues("Preference-Applied", out var said) ? said.Single() : null);
    }

    [Fact]
    public async Task Wait_LongerThanTheCallerPrefers_IsTakenBack()
    {
        await using var play = await Play.StartAsync();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/v2/wait") { Content = new StringContent("""{"frames":36000}""", Encoding.UTF8, "application/json") };
        request.Headers.Add("Prefer", "wait=1");
        using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.GatewayTimeout, response.StatusCode);
    }

    [Theory]
    [InlineData("/v2/status", null, 401)]
    [InlineData("/v2/status", "Bearer wrong", 401)]
    [InlineData("/v2/status", $"Basic {Token}", 401)]
    [InlineData("/v2/status", $"Bearer {Token}", 200)]
    [InlineData("/v2/status", $"bearer  {Token}", 200)]
    [InlineData("/metrics", null, 401)]
    [InlineData("/core/getgametitle", null, 401)]
    [InlineData("/healthz", null, 200)]
    public async Task Token_ThatIsSet_IsNeeded(string path, string? authorization, int expected)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Token));
        using var response = await GetAsync(gateway.Client, path, authorization is null ? null : ("Authorization", authorization));
        Assert.Equal(expected, (int)response.StatusCode);
        Assert.Equal(expected == 401, response.Headers.WwwAuthenticate.Count > 0);
    }

    [Theory]
    [InlineData("127.0.0.1", true)]
    [InlineData("::1", true)]
    [InlineData("::ffff:127.0.0.1", true)]
    [InlineData("192.168.1.5", false)]
    [InlineData("::ffff:10.0.0.1", false)]
    [InlineData(null, true)]
    public async Task Caller_OfAnotherMachine_NeedsATokenHoweverThePortWasOpened(string? address, bool isLetIn)
    {
        var credentials = new CredentialStore(null, []);
        var http = new DefaultHttpContext { Response = { Body = new MemoryStream() }, RequestServices = new ServiceCollection().AddSingleton(credentials).BuildServiceProvider() };
        http.Connection.LocalIpAddress = address is null ? null : IPAddress.Parse(address);
        var letIn = false;
        await new AccessControl(credentials, new TokenAuthentication(credentials, new WrongTokenLimit())).InvokeAsync(http, _ =>
        {
            letIn = true;
            return Task.CompletedTask;
        });
        Assert.Equal((isLetIn, isLetIn ? 200 : 403), (letIn, http.Response.StatusCode));
    }

    [Fact]
    public async Task WrongTokens_BeyondTheLimit_AreNotLookedAt()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Token));
        using var admitted = await GetAsync(gateway.Client, "/v2/status", ("Authorization", $"Bearer {Token}"));
        Assert.Equal(HttpStatusCode.OK, admitted.StatusCode);
        using var guesser = new HttpClient { BaseAddress = gateway.Client.BaseAddress };
        var codes = new HashSet<int>();
        for (var attempt = 0; attempt < 1_000 && !codes.Contains(429); attempt++)
        {
            using var wrong = await GetAsync(guesser, "/v2/status", ("Authorization", $"Bearer wrong-{attempt}"));
            codes.Add((int)wrong.StatusCode);
        }

        Assert.Equal([401, 429], codes.Order());

        // a connection that sent the right token is not limited by those that guess
        using var still = await GetAsync(gateway.Client, "/v2/status", ("Authorization", $"Bearer {Token}"));
        Assert.Equal(HttpStatusCode.OK, still.StatusCode);
    }

    [Theory]
    [InlineData("127.0.0.1", "127.0.0.1")]
    [InlineData("127.0.0.2", "127.0.0.1")]
    [InlineData("::1", "127.0.0.1")]
    [InlineData("::ffff:127.1.2.3", "127.0.0.1")]
    [InlineData("::ffff:10.0.0.1", "10.0.0.1")]
    [InlineData("10.0.0.1", "10.0.0.1")]
    [InlineData("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::")]
    [InlineData(null, "127.0.0.1")]
    public void Caller_IsOneHoweverItsAddressIsWritten(string? address, string expected) =>
        Assert.Equal(IPAddress.Parse(expected), CallerAddress.Of(address is null ? null : IPAddress.Parse(address)));

    [Fact]
    public async Task Connections_BeyondTheLimit_AreClosed()
    {
        const int Limit = 16;
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Http:MaxConnections", "16"));
        var callers = Enumerable.Range(0, Limit).Select(_ => new RawCaller(gateway.Client.BaseAddress!.Port, keeps: true)).ToList();
        try
        {
            foreach (var caller in callers)
            {
                Assert.Null(await caller.RequestAsync("/healthz"));
            }

            using var beyond = new RawCaller(gateway.Client.BaseAddress!.Port, keeps: true);
            Assert.NotNull(await beyond.RequestAsync("/healthz"));
            callers[0].Dispose();
            await Eventually.IsAsync(async () =>
            {
                using var again = new RawCaller(gateway.Client.BaseAddress!.Port, keeps: true);
                return await again.RequestAsync("/healthz") is null;
            });
        }
        finally
        {
            callers.ForEach(caller => caller.Dispose());
        }
    }

    [Fact]
    public void RateLimit_OfAnyNumber_IsThatNumberASecond()
    {
        foreach (var perSecond in Enumerable.Range(1, 10_000))
        {
            var options = RateLimit.OptionsFor(perSecond);
            Assert.Equal(perSecond, options.TokensPerPeriod / options.ReplenishmentPeriod.TotalSeconds, perSecond * 0.001);
            Assert.True(perSecond < 10 || options.ReplenishmentPeriod <= TimeSpan.FromMilliseconds(100));
        }
    }

    [Theory]
    [InlineData("--urls=http://0.0.0.0:0", 2)]
    [InlineData("--urls=http://127.0.0.1:0;http://*:0", 2)]
    [InlineData("--urls=http://box.local:0", 2)]
    [InlineData("--Kestrel:Endpoints:Open:Url=http://0.0.0.0:0", 2)]
    public async Task Gateway_OpenToOthersWithoutAToken_DoesNotStart(string argument, int code)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "mgba-bridge")) { RedirectStandardError = true };
        start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var said = await process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(code, process.ExitCode);
        Assert.Contains("Bridge:Http:Token", said, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://localhost:5000", true)]
    [InlineData("http://127.0.0.2:5000", true)]
    [InlineData("http://[::1]:5000", true)]
    [InlineData("http://unix:/run/bridge.sock", true)]
    [InlineData("http://[::]:5000", false)]
    [InlineData("http://+:5000", false)]
    [InlineData("http://192.168.1.5", false)]
    public void Urls_ThatOthersCanReach_AreKnown(string url, bool isLocal) => Assert.Equal(isLocal, AccessControl.IsLocal(url));

    [Fact]
    public async Task Requests_BeyondTheLimit_AreRefusedWithTheirHeaders()
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:RateLimit", "1"));
        using var first = await GetAsync(gateway.Client, "/v2/status");
        Assert.Equal((HttpStatusCode.OK, "1", "0"), (first.StatusCode, first.Headers.GetValues("RateLimit-Limit").Single(), first.Headers.GetValues("RateLimit-Remaining").Single()));
        HttpResponseMessage? refused = null;
        for (var attempt = 0; attempt < 1_000 && refused?.StatusCode != HttpStatusCode.TooManyRequests; attempt++)
        {
            refused?.Dispose();
            refused = await GetAsync(gateway.Client, "/v2/status");
        }

        Assert.Equal(HttpStatusCode.TooManyRequests, refused!.StatusCode);
        Assert.Equal("1", refused.Headers.GetValues("Retry-After").Single());
        refused.Dispose();
    }

    [Fact]
    public async Task Requests_WithoutALimit_HaveNoHeadersOfOne()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var response = await GetAsync(gateway.Client, "/healthz");
        Assert.False(response.Headers.Contains("RateLimit-Limit"));
    }

    private static async Task<HttpResponseMessage> GetAsync(HttpClient client, string path, (string Name, string Value)? header = null)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (header is { } given)
        {
            request.Headers.TryAddWithoutValidation(given.Name, given.Value);
        }

        return await client.SendAsync(request, TestContext.Current.CancellationToken);
    }
}
