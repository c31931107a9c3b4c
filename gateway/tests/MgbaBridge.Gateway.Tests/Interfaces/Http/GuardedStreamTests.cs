using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using MgbaBridge.FakeEmulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

/// <summary>What stays open behind the token and the rate limit.</summary>
public sealed class GuardedStreamTests
{
    private const string Token = "correct-horse-battery-staple";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("/v2/events?topics=frame/1", null)]
    [InlineData("/v2/events?topics=frame/1", $"Bearer {Token}r")]
    [InlineData("/v2/screen/stream", null)]
    [InlineData("/v2/sound", null)]
    [InlineData("/v2/screen/stream", $"Bearer {Token}r")]
    [InlineData("/v2/ws", null)]
    [InlineData("/v2/ws", $"Bearer {Token}r")]
    public async Task Stream_WithoutTheToken_IsRefusedBeforeTheEmulatorIsAsked(string path, string? authorization)
    {
        await using var fake = FakeScript.Start();
        await using var gateway = await GatewayHost.ReadyAsync(fake.Port, ("Http:Token", Token));
        using var request = Opening(path);
        if (authorization is not null)
        {
            request.Headers.TryAddWithoutValidation("Authorization", authorization);
        }

        using var response = await gateway.Client.SendAsync(request, Cancelled);
        Assert.Equal(HttpStatusCode.Unauthorized, response.StatusCode);
        Assert.Equal("Bearer", response.Headers.WwwAuthenticate.Single().Scheme);
        var problem = JsonDocument.Parse(await response.Content.ReadAsStringAsync(Cancelled)).RootElement;
        Assert.Contains("Authorization: Bearer", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.All(fake.Requests, asked => Assert.Contains(asked.Command, new[] { "hello", "ping" }));
    }

    [Fact]
    public async Task Streams_WithTheToken_Work()
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Http:Token", Token));
        gateway.Client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", Token);
        using var events = await EventReader.OpenAsync(gateway.Client, "frame/1");
        var frame = (await events.NextAsync("frame")).Data.GetProperty("frame").GetInt64();
        using var pictures = await PictureReader.OpenAsync(gateway.Client, "60");
        Assert.True((await pictures.NextAsync()).Frame >= frame);
        using var socket = await WebSocketClient.OpenAsync(gateway, "/v2/ws", ("Authorization", $"Bearer {Token}"));
        Assert.True((await socket.DoAsync("ping")).GetProperty("frame").GetInt64() >= frame);
    }

    [Theory]
    [InlineData("/v2/events?topics=frame/1")]
    [InlineData("/v2/screen/stream")]
    [InlineData("/v2/sound")]
    [InlineData("/v2/ws")]
    public async Task Opening_OfAStream_CountsAsARequest(string path)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Http:RateLimit", "1"));
        var opened = new List<HttpResponseMessage>();
        try
        {
            do
            {
                using var request = Opening(path);
                opened.Add(await gateway.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Cancelled));
                Assert.Equal("1", opened[^1].Headers.GetValues("RateLimit-Limit").Single());
            }
            while (opened[^1].StatusCode != HttpStatusCode.TooManyRequests && opened.Count < 50);
            Assert.Equal(HttpStatusCode.TooManyRequests, opened[^1].StatusCode);
        }
        finally
        {
            opened.ForEach(response => response.Dispose());
        }
    }

    [Fact]
    public async Task Messages_OnASocketThatIsOpen_AreNotCounted()
    {
        const int Messages = 500;
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Http:RateLimit", "1"));
        using var socket = await WebSocketClient.OpenAsync(gateway);
        for (var message = 0; message < Messages; message++)
        {
            await socket.DoAsync("ping");
        }
    }

    [Theory]
    [InlineData("/v2/events?topics=frame/1")]
    [InlineData("/v2/screen/stream")]
    [InlineData("/v2/sound")]
    [InlineData("/v2/ws")]
    public async Task Streams_BeyondTheLimitOfACaller_AreRefusedUntilOneIsClosed(string path)
    {
        await using var emulator = await HeadlessEmulator.StartAsync();
        await using var gateway = await GatewayHost.ReadyAsync(emulator.Port, ("Http:MaxStreamsPerCaller", "2"));
        using var first = await OpenAsync(gateway, "/v2/events?topics=frame/1");
        var second = await OpenAsync(gateway, "/v2/screen/stream");
        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.OK), (first.StatusCode, second.StatusCode));
        using (var refused = await OpenAsync(gateway, path))
        {
            Assert.Equal(HttpStatusCode.TooManyRequests, refused.StatusCode);
            Assert.Contains("MaxStreamsPerCaller", await refused.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
        }

        second.Dispose();
        await Eventually.IsAsync(async () =>
        {
            using var again = await OpenAsync(gateway, path);
            return again.StatusCode is HttpStatusCode.OK or HttpStatusCode.SwitchingProtocols;
        });
    }

    private static async Task<HttpResponseMessage> OpenAsync(GatewayHost gateway, string path)
    {
        using var request = Opening(path);
        return await gateway.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Cancelled);
    }

    private static HttpRequestMessage Opening(string path)
    {
        var request = new HttpRequestMessage(HttpMethod.Get, path);
        if (path == "/v2/ws")
        {
            request.Headers.Connection.Add("Upgrade");
            request.Headers.Upgrade.ParseAdd("websocket");
            request.Headers.Add("Sec-WebSocket-Version", "13");
            request.Headers.Add("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
        }

        return request;
    }
}
