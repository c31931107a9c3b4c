using System.Net;
using System.Text;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Interfaces.Http;

public sealed class HolderStreamTests
{
    private const string Path = "/v2/holder/stream";

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Lease_OfAHolder_EndsWithTheLastOfItsStreams()
    {
        await using var play = await Play.StartAsync();
        using (await OpenAsync(play, "learner"))
        {
            using (await OpenAsync(play, "learner"))
            {
                await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "learner");
                using var kept = await KeepAsync(play, "learner");
                Assert.Equal(HttpStatusCode.OK, kept.StatusCode);
            }

            using (await OpenAsync(play, "other"))
            {
                await play.SendAsync(HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"]}""", "other", HttpStatusCode.Locked);
            }

            Assert.Equal(["mine"], await NamesAsync(play));
            await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "learner");
        }

        await Eventually.IsAsync(async () => (await NamesAsync(play)).Count == 0);
        await Eventually.IsAsync(async () => !(await play.AskGatewayAsync(HttpMethod.Get, "/v2/status")).TryGetProperty("leaseHolder", out _));
    }

    [Fact]
    public async Task State_ThatIsTemporary_NeedsAStreamOfItsHolder()
    {
        await using var play = await Play.StartAsync();
        using var stream = await OpenAsync(play, "other");
        using var refused = await KeepAsync(play, "learner");
        Assert.Equal(HttpStatusCode.BadRequest, refused.StatusCode);
        Assert.Contains("open POST /v2/holder/stream first", await refused.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
        Assert.Empty(await NamesAsync(play));
    }

    [Fact]
    public async Task Stream_WithoutAHolder_IsRefused()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        using var response = await gateway.Client.PostAsync(Path, null, Cancelled);
        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains("Name the holder", await response.Content.ReadAsStringAsync(Cancelled), StringComparison.Ordinal);
    }

    /// <summary>Its end would end the lease of another who has the name.</summary>
    [Fact]
    public async Task Stream_OfAGuest_IsRefused()
    {
        const string Token = "of-a-guest-0123456789";
        await using var gateway = GatewayHost.Start(Clients.FreePort(), ("Http:Tokens:0", Credential.SettingOf(Role.Guest, Token)));
        using var request = new HttpRequestMessage(HttpMethod.Post, Path) { Headers = { { "Mgba-Holder", "learner" }, { "Authorization", $"Bearer {Token}" } } };
        using var response = await gateway.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Cancelled);
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    private static async Task<HttpResponseMessage> OpenAsync(Play play, string holder)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, Path) { Headers = { { "Mgba-Holder", holder } } };
        var response = await play.Client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, Cancelled);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return response;
    }

    private static Task<HttpResponseMessage> KeepAsync(Play play, string holder) =>
        play.RawAsync(HttpMethod.Post, "/v2/states", new StringContent("""{"name":"mine","temporary":true}""", Encoding.UTF8, "application/json"), holder);

    private static async Task<IReadOnlyList<string>> NamesAsync(Play play) =>
        [.. (await play.AskGatewayAsync(HttpMethod.Get, "/v2/states")).GetProperty("states").EnumerateArray().Select(state => state.GetProperty("name").GetString()!)];
}
