using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace MgbaBridge.Gateway.Tests.Operations.Lease;

public sealed class LeaseOperationsTests
{
    [Fact]
    public async Task Step_WhoseCallerLeaves_EndsAndTheLeaseGoesOn()
    {
        await using var play = await Play.StartAsync();
        var taken = await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", holder: "agent");
        using var leaving = new CancellationTokenSource();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/v2/lease/step") { Content = new StringContent("""{"frames":36000}"""), Headers = { { "Mgba-Holder", "agent" } } };
        var step = play.Client.SendAsync(request, leaving.Token);
        var began = taken.GetProperty("frame").GetInt64();
        await Eventually.IsAsync(async () => (await play.GetAsync("/v2/keys")).GetProperty("frame").GetInt64() > began);
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => step);

        // 503 while the long step runs, which would be ten minutes
        await Eventually.IsAsync(async () =>
        {
            using var next = await play.RawAsync(HttpMethod.Post, "/v2/lease/step", new StringContent("""{"frames":1}"""), "agent");
            return next.StatusCode == HttpStatusCode.OK;
        });
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "agent");
    }

    [Fact]
    public async Task Lease_WithSteps_RunsExactlyThoseFrames()
    {
        await using var play = await Play.StartAsync();
        var lease = await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""");
        var holder = lease.GetProperty("holder").GetString()!;
        var frame = lease.GetProperty("frame").GetInt64();
        var counter = await play.ReadAsync(Play.FrameCounter);
        for (var step = 1; step <= 20; step++)
        {
            var answer = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":3,"keys":["Right"],"items":[{"read":{"location":"0x02000008","type":"u32"}},{"read":{"location":"0x0200000C","type":"u32"}}]}""", holder);
            Assert.Equal(frame + (3 * step), answer.GetProperty("frame").GetInt64());
            Assert.Equal((counter + (3 * step), 16), (answer.GetProperty("results")[0].GetProperty("value").GetInt64(), answer.GetProperty("results")[1].GetProperty("value").GetInt64()));
        }

        var nothing = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":0}""", holder);
        Assert.Equal(frame + 60, nothing.GetProperty("frame").GetInt64());
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":-1}""", holder, HttpStatusCode.BadRequest);
        Assert.True((await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: holder)).GetProperty("released").GetBoolean());
        await play.WaitAsync(5);
        Assert.Equal(0, (await play.GetAsync("/v2/keys")).GetProperty("mask").GetInt32());
    }

    [Fact]
    public async Task Step_WithoutALease_IsAConflictThatSaysToTakeIt()
    {
        await using var play = await Play.StartAsync();
        var before = await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "first", HttpStatusCode.Conflict);
        Assert.Equal("no-lease", before.GetProperty("code").GetString());
        Assert.Contains("take it first", before.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "first");
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "first");
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "first");
        await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":1}""", "first", HttpStatusCode.Conflict);
    }

    [Fact]
    public async Task Status_OfAGatewayThatConnectsDuringALease_NamesTheHolder()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "first");
        await Eventually.IsAsync(async () => await HolderAsync(play.Client) == "first");
        await using (var other = GatewayHost.Start(play.Emulator.Port))
        {
            await Eventually.IsAsync(async () =>
            {
                await play.SendAsync(HttpMethod.Post, "/v2/lease/step", """{"frames":0}""", "first"); // keeps the lease
                return await HolderAsync(other.Client) == "first";
            });
            Assert.Equal(EmulatorState.Leased, other.Emulators.First.Health.State);
            await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "first");
            await Eventually.IsAsync(async () => await HolderAsync(other.Client) is null);
            await Eventually.Is(() => other.Emulators.First.Health.State == EmulatorState.Ready);
        }

        await Eventually.IsAsync(async () => await HolderAsync(play.Client) is null);
    }

    [Fact]
    public async Task Lease_OfSomebody_LetsOthersOnlyRead()
    {
        await using var play = await Play.StartAsync();
        await play.SendAsync(HttpMethod.Post, "/v2/lease", """{"limitMs":10000}""", "first");
        foreach (var (method, path, body) in new (HttpMethod, string, string?)[]
        {
            (HttpMethod.Post, "/v2/lease", null), (HttpMethod.Post, "/v2/lease/step", """{"frames":1}"""),
            (HttpMethod.Put, "/v2/keys", """{"keys":["A"]}"""), (HttpMethod.Put, "/v2/memory/0x02001000/u8", """{"value":1}"""), (HttpMethod.Post, "/v2/reset", null),
            (HttpMethod.Post, "/v2/batch", """{"items":[{"reset":true}]}"""),
        })
        {
            var problem = await play.SendAsync(method, path, body, status: HttpStatusCode.Locked);
            Assert.Matches("^first .*DELETE /v2/lease", problem.GetProperty("detail").GetString());
            Assert.Equal("lease.release", problem.GetProperty("next").GetString());
        }

        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "second", status: HttpStatusCode.Locked);
        Assert.Equal(77, await play.ReadAsync("0x02000000", "u8"));
        await play.SendAsync(HttpMethod.Delete, "/v2/lease", holder: "first");
        await play.SendAsync(HttpMethod.Put, "/v2/memory/0x02001000/u8", """{"value":1}""");
    }

    [Fact]
    public async Task Lease_OfAnybody_IsEndedByAnOwnerOnly()
    {
        const string Player = "player-token-0123456789";
        const string Owner = "owner-token-0123456789";
        await using var play = await Play.StartAsync(("Http:Tokens:0", Credential.SettingOf(Role.Player, Player)), ("Http:Tokens:1", Credential.SettingOf(Role.Owner, Owner)));
        async Task<HttpStatusCode> SendAsync(string token, HttpMethod method, string path, string? holder, string body = "{}")
        {
            using var request = new HttpRequestMessage(method, path) { Content = new StringContent(body), Headers = { { "Authorization", $"Bearer {token}" } } };
            if (holder is not null)
            {
                request.Headers.Add("Mgba-Holder", holder);
            }

            using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
            return response.StatusCode;
        }

        Assert.Equal(HttpStatusCode.OK, await SendAsync(Player, HttpMethod.Post, "/v2/lease", "guest", """{"limitMs":10000}"""));
        Assert.Equal(HttpStatusCode.Locked, await SendAsync(Owner, HttpMethod.Put, "/v2/keys", null, """{"keys":["A"]}"""));
        Assert.Equal(HttpStatusCode.Locked, await SendAsync(Player, HttpMethod.Delete, "/v2/lease", null));
        Assert.Equal(HttpStatusCode.Locked, await SendAsync(Owner, HttpMethod.Delete, "/v2/lease", "another"));
        Assert.Equal(HttpStatusCode.OK, await SendAsync(Owner, HttpMethod.Delete, "/v2/lease", null));
        Assert.Equal(HttpStatusCode.OK, await SendAsync(Owner, HttpMethod.Put, "/v2/keys", null, """{"keys":["A"]}"""));
        Assert.Equal(HttpStatusCode.Conflict, await SendAsync(Player, HttpMethod.Post, "/v2/lease/step", "guest", """{"frames":1}"""));
    }

    [Fact]
    public async Task Lease_OfAHolderThatAnotherNames_IsNotTheirs()
    {
        const string Holder = "bot";
        const string Guest = "guest-token-0123456789";
        const string Player = "player-token-0123456789";
        const string Owner = "owner-token-0123456789";
        await using var play = await Play.StartAsync(
            ("Http:Tokens:0", Credential.SettingOf(Role.Guest, Guest)), ("Http:Tokens:1", Credential.SettingOf(Role.Player, Player)), ("Http:Tokens:2", Credential.SettingOf(Role.Owner, Owner)));
        async Task<JsonElement> SendAsync(string token, HttpMethod method, string path, HttpStatusCode expected, string body = "{}")
        {
            using var request = new HttpRequestMessage(method, path) { Content = new StringContent(body), Headers = { { "Authorization", $"Bearer {token}" }, { "Mgba-Holder", Holder } } };
            using var response = await play.Client.SendAsync(request, TestContext.Current.CancellationToken);
            Assert.Equal(expected, response.StatusCode);
            return await response.Content.ReadFromJsonAsync<JsonElement>(TestContext.Current.CancellationToken);
        }

        var token = (await SendAsync(Owner, HttpMethod.Post, "/v2/lease", HttpStatusCode.OK, """{"limitMs":10000}""")).GetProperty("token").GetString();
        await Eventually.Is(() => play.Gateway.Emulators.First.Health.LeaseHolder is not null);
        var refused = await SendAsync(Guest, HttpMethod.Post, "/v2/keys/tap", HttpStatusCode.Locked, """{"keys":["A"]}""");
        Assert.Contains($"{Holder} has the lockstep lease and another token", refused.GetProperty("detail").GetString(), StringComparison.Ordinal);
        await SendAsync(Player, HttpMethod.Post, "/v2/lease/step", HttpStatusCode.Locked, """{"frames":1}""");
        await SendAsync(Player, HttpMethod.Post, "/v2/lease", HttpStatusCode.Locked);
        await SendAsync(Player, HttpMethod.Delete, "/v2/lease", HttpStatusCode.Locked);
        await SendAsync(Owner, HttpMethod.Post, "/v2/lease/step", HttpStatusCode.OK, """{"frames":1}""");
        Assert.Equal(0, (await SendAsync(Owner, HttpMethod.Get, "/v2/memory/0x02000020/u32", HttpStatusCode.OK)).GetProperty("value").GetInt32());

        // a stream of the same holder that another token ends
        var streams = play.Gateway.Services.GetRequiredService<HolderStreams>();
        var options = new RequestOptions { Holder = play.Gateway.Emulators.First.Health.LeaseHolder is { } name && MgbaBridge.Client.Commands.Holder.TryCreate(name, out var named) ? named : null, Credential = "another" };
        streams.Enter(new Caller(Role.Player), options.Holder!);
        await streams.LeaveAsync(new Caller(Role.Player), options, keepsLeases: false);
        await SendAsync(Owner, HttpMethod.Post, "/v2/lease/step", HttpStatusCode.OK, """{"frames":1}""");

        // the token of the lease gives it to whom its holder gives it
        await SendAsync(Player, HttpMethod.Post, "/v2/lease", HttpStatusCode.OK, $$"""{"limitMs":10000,"token":"{{token}}"}""");
        await SendAsync(Player, HttpMethod.Post, "/v2/lease/step", HttpStatusCode.OK, """{"frames":1}""");
        await SendAsync(Owner, HttpMethod.Post, "/v2/lease/step", HttpStatusCode.Locked, """{"frames":1}""");
    }

    private static async Task<string?> HolderAsync(HttpClient client)
    {
        var status = await client.GetFromJsonAsync<JsonElement>("/v2/status", TestContext.Current.CancellationToken);
        return status.TryGetProperty("leaseHolder", out var holder) ? holder.GetString() : null;
    }
}
