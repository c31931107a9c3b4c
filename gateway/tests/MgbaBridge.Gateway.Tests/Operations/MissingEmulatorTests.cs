using System.Net;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Operations;

public sealed class MissingEmulatorTests
{
    [Fact]
    public async Task Emulator_ThatIsNotThere_IsToldOnEveryPath()
    {
        await using var gateway = GatewayHost.Start(Clients.FreePort());
        await Eventually.Is(() => gateway.Emulators.First.Health.State == EmulatorState.ScriptMissing);
        foreach (var (method, path, body) in new (HttpMethod, string, string?)[]
        {
            (HttpMethod.Get, "/v2/keys", null), (HttpMethod.Post, "/v2/keys/tap", """{"keys":["A"]}"""), (HttpMethod.Get, "/v2/game", null), (HttpMethod.Get, "/v2/screen", null),
            (HttpMethod.Get, "/v2/state", null), (HttpMethod.Post, "/v2/batch", """{"items":[{"reset":true}]}"""), (HttpMethod.Post, "/v2/wait", """{"frames":1}"""),
            (HttpMethod.Post, "/v2/lease", null), (HttpMethod.Post, "/v2/memory/read", """{"reads":[{"location":"0x0","type":"u8"}]}"""),
        })
        {
            using var request = new HttpRequestMessage(method, path) { Content = body is null ? null : new StringContent(body) };
            using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
            Assert.Equal((path, HttpStatusCode.ServiceUnavailable), (path, response.StatusCode));
            Assert.Contains("Is mGBA running", await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken), StringComparison.Ordinal);
            Assert.True(response.Headers.Contains("Retry-After"));
        }

        using var nobody = await gateway.Client.GetAsync("/i/9/v2/keys", TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.NotFound, nobody.StatusCode);
    }
}
