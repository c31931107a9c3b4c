using System.Diagnostics;
using System.Net;
using System.Text;
using System.Text.Json;
using MgbaBridge.Gateway.Tests.Fleet;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace MgbaBridge.Gateway.Tests.Operations.Fleet;

public sealed class FleetOperationsTests(PostgresServer server)
{
    [Fact]
    public async Task Operations_WithoutADatabase_SayThatThereIsNoFleet()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Discover", "false"));
        foreach (var path in new[] { "/v2/fleet", "/v2/fleet/sessions", "/v2/fleet/hosts", "/v2/fleet/events", "/v2/fleet/sessions/one" })
        {
            Assert.Equal("no-fleet", ProblemOf(await SendAsync(gateway, HttpMethod.Get, path, HttpStatusCode.NotImplemented)));
        }
    }

    [Fact]
    public async Task Operations_WhileTheDatabaseIsAway_SayWhy()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", "Host=/nonexistent;Username=nobody"));
        var problem = await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.ServiceUnavailable, """{"rom":"game.gba"}""");
        Assert.Equal("fleet-unavailable", ProblemOf(problem));
        Assert.Contains("cannot be reached", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal("session-moving", ProblemOf(await SendAsync(gateway, HttpMethod.Get, "/i/one/v2/game", HttpStatusCode.ServiceUnavailable)));
    }

    [Fact]
    public async Task Sessions_CreatedListedAndDeleted_AreInTheFleet()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()), ("Fleet:MaxSessionsPerOwner", "3"));
        var created = await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":"game.gba","count":2,"owner":"lab"}""");
        Assert.Equal(2, created.GetProperty("ids").GetArrayLength());
        await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":"game.gba","owner":"lab","id":"mine"}""");
        Assert.Equal("over-quota", ProblemOf(await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.Conflict, """{"rom":"game.gba","owner":"lab"}""")));
        Assert.Equal("id-taken", ProblemOf(await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.Conflict, """{"rom":"game.gba","id":"mine"}""")));
        Assert.Equal(3, (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions?owner=lab&limit=10")).GetProperty("sessions").GetArrayLength());

        // nobody runs hosts: the session waits, and says why
        await Eventually.IsAsync(async () => (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions/mine")).GetProperty("detail").GetString()!.Contains("mgba-bridge node", StringComparison.Ordinal));
        var moving = await SendAsync(gateway, HttpMethod.Get, "/i/mine/v2/game", HttpStatusCode.ServiceUnavailable);
        Assert.Contains("none is ready", moving.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(3, (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet")).GetProperty("pending").GetInt32());
        Assert.Equal(3, (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions?state=pending")).GetProperty("sessions").GetArrayLength());
        Assert.Equal(0, (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions?state=running")).GetProperty("sessions").GetArrayLength());
        await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions/mine");
        await Eventually.IsAsync(async () => (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions?owner=lab")).GetProperty("sessions").GetArrayLength() == 2);
        var events = (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/events?session=mine")).GetProperty("events").EnumerateArray().Select(entry => entry.GetProperty("kind").GetString());
        Assert.Equal(["session.created", "session.deleted"], events);
        Assert.Equal("no-such-session", ProblemOf(await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions/mine", HttpStatusCode.NotFound)));
        await SendAsync(gateway, HttpMethod.Get, "/i/mine/v2/game", HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task Events_AreTheNewest_OrThoseAfterAnId()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()));
        foreach (var id in new[] { "a", "b", "c" })
        {
            await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: $$"""{"rom":"game.gba","id":"{{id}}"}""");
        }

        Assert.Equal("a b c", string.Join(' ', (await ListAsync("")).Select(entry => entry.Session)));
        var newest = await ListAsync("?limit=2");
        Assert.Equal("b c", string.Join(' ', newest.Select(entry => entry.Session)));
        Assert.Equal(["c"], (await ListAsync($"?limit=2&after={newest[0].Id}")).Select(entry => entry.Session));
        Assert.Equal(["a"], (await ListAsync("?limit=1&after=0")).Select(entry => entry.Session));
        Assert.Empty(await ListAsync($"?after={newest[1].Id}"));

        async Task<(long Id, string? Session)[]> ListAsync(string query) =>
            [.. (await SendAsync(gateway, HttpMethod.Get, $"/v2/fleet/events{query}")).GetProperty("events").EnumerateArray().Select(entry => (entry.GetProperty("id").GetInt64(), entry.GetProperty("session").GetString()))];
    }

    [Fact]
    public async Task DeleteAll_OfAnOwnerOrOfAll_DeletesThemAlone()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()));
        foreach (var owner in new[] { "a", "b", "c" })
        {
            await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: $$"""{"rom":"game.gba","count":2,"owner":"{{owner}}"}""");
        }

        // an id that is empty in a script deletes nothing
        Assert.Equal("bad-request", ProblemOf(await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions/", HttpStatusCode.BadRequest)));
        Assert.Equal("bad-request", ProblemOf(await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions?owner=a&all=true", HttpStatusCode.BadRequest)));
        Assert.Equal(2, (await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions?owner=a")).GetProperty("deleted").GetInt32());
        Assert.Equal(0, (await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions?owner=a")).GetProperty("deleted").GetInt32());
        Assert.Equal(4, (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet")).GetProperty("pending").GetInt32());
        using var output = JsonDocument.Parse(await VerbRun.TextAsync("fleet", "sessions", "delete-all", "--all", "--json", "--url", gateway.Client.BaseAddress!.ToString()));
        Assert.Equal(4, output.RootElement.GetProperty("deleted").GetInt32());
        await Eventually.IsAsync(async () => (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions")).GetProperty("sessions").GetArrayLength() == 0);
    }

    /// <summary>No engine: nobody would give them. Slurm is missing here, but would.</summary>
    [Fact]
    public async Task Create_WithResources_IsRefusedWithoutAnEngineThatGivesThem()
    {
        const string Body = """{"rom":":test:","id":"mine","cpus":1.5,"memory":300}""";
        var database = await server.CreateDatabaseAsync();
        foreach (var engine in new[] { "", "local" })
        {
            await using var without = GatewayHost.StartWithoutPort(("Fleet:Database", database), ("Fleet:Engine", engine));
            var problem = await SendAsync(without, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.BadRequest, Body);
            Assert.Contains("Omit them", problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
        }

        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", database), ("Fleet:Engine", "slurm"), ("Fleet:EngineTimeout", "00:00:02"));
        foreach (var wrong in new[] { "\"cpus\":0", "\"cpus\":\"2\"", "\"memory\":15", "\"memory\":1.5", "\"memory\":16777217", "\"cpus\":1025" })
        {
            await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.BadRequest, $$"""{"rom":":test:",{{wrong}}}""");
        }

        await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: Body);
        await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":":test:","id":"other"}""");
        var session = await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions/mine");
        Assert.Equal((1.5, 300), (session.GetProperty("cpus").GetDouble(), session.GetProperty("memory").GetInt32()));
        Assert.False((await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions/other")).TryGetProperty("cpus", out _));
    }

    /// <summary>With the folders of the hosts, the gateway knows at once what no host would find.</summary>
    [Fact]
    public async Task Create_OfAMissingRom_IsRefusedWhereTheFoldersAreKnown()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-roms-");
        try
        {
            await File.WriteAllTextAsync(Path.Combine(folder.FullName, "game.gba"), "a ROM", TestContext.Current.CancellationToken);
            await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()), ("Owned:RomFolders:0", folder.FullName));
            Assert.Equal("no-such-rom", ProblemOf(await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.NotFound, """{"rom":"gmae.gba"}""")));
            Assert.Equal("rom-forbidden", ProblemOf(await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.Forbidden, """{"rom":"/etc/passwd"}""")));
            Assert.Equal(0, (await SendAsync(gateway, HttpMethod.Get, "/v2/fleet/sessions")).GetProperty("sessions").GetArrayLength());
            await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":"game.gba"}""");
            await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":":test:"}""");
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Callers_WaitingForASession_ShareALookAndGetWhatHappensToIt()
    {
        const int Callers = 20;
        var database = await server.CreateDatabaseAsync();
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", database));
        await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":"game.gba","id":"mine"}""");
        var began = Stopwatch.GetTimestamp();
        var before = await TestFleet.TransactionsAsync(database);

        // two seconds: 20 callers that look every 20 ms, each by itself, are 2,000 queries
        var statuses = await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => WaitAsync(gateway, 2)));
        Assert.All(statuses, status => Assert.Equal(HttpStatusCode.ServiceUnavailable, status));
        Assert.InRange(await TestFleet.TransactionsAsync(database) - before, 0, 200 + (80 * Stopwatch.GetElapsedTime(began).TotalSeconds));

        var waiting = Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => WaitAsync(gateway, 60)));
        await SendAsync(gateway, HttpMethod.Delete, "/v2/fleet/sessions/mine");
        Assert.All(await waiting.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken), status => Assert.Equal(HttpStatusCode.NotFound, status));
    }

    [Fact]
    public async Task Callers_WaitingForASession_AreRefusedWhenTheGatewayStops()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()));
        await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", body: """{"rom":"game.gba","id":"mine"}""");
        var waiting = WaitAsync(gateway, 3_600);
        await Eventually.IsAsync(async () =>
            (await gateway.Client.GetStringAsync("/metrics", TestContext.Current.CancellationToken)).Split('\n').Any(line => line.StartsWith("http_server_active_requests{", StringComparison.Ordinal) && line.EndsWith(" 2", StringComparison.Ordinal)));
        gateway.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await waiting);
    }

    [Theory]
    [InlineData("""{"rom":""}""", "expected a text of 1 to 255 characters")]
    [InlineData("""{"rom":"game.gba","count":0}""", "count is 0; expected an integer from 1 to 1000")]
    [InlineData("""{"rom":"game.gba","count":1001}""", "count is 1001")]
    [InlineData("""{"rom":"game.gba","fps":-1}""", "fps is -1")]
    [InlineData("""{"rom":"game.gba","id":"A B"}""", "id is \"A B\"; expected 1 to 32 characters of a-z")]
    [InlineData("""{"rom":"game.gba","id":"a","count":2}""", "id names a single session")]
    [InlineData("""{"rom":"game.gba","owner":""}""", "owner is \"\"; expected 1 to 24 characters of a-z, 0-9 and hyphen")]
    [InlineData("""{"rom":"game.gba","owner":"../lab"}""", "owner is \"../lab\"; expected 1 to 24 characters")]
    [InlineData("""{"rom":"game.gba","owner":"a b"}""", "owner is \"a b\"")]
    [InlineData("""{"rom":"game.gba","owner":"lab\n"}""", "owner is ")]
    public async Task Create_OfAWrongBody_SaysWhatIsWrong(string body, string expected)
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Discover", "false"));
        var problem = await SendAsync(gateway, HttpMethod.Post, "/v2/fleet/sessions", HttpStatusCode.BadRequest, body);
        Assert.Contains(expected, problem.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/v2/fleet/sessions?limit=0")]
    [InlineData("/v2/fleet/sessions?limit=99999999999")]
    [InlineData("/v2/fleet/sessions?state=gone")]
    [InlineData("/v2/fleet/events?after=x")]
    public async Task Lists_WithAWrongQuery_AreRefused(string path)
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Discover", "false"));
        Assert.Equal("bad-request", ProblemOf(await SendAsync(gateway, HttpMethod.Get, path, HttpStatusCode.BadRequest)));
    }

    private static string ProblemOf(JsonElement problem) => problem.GetProperty("type").GetString()!.Split(':')[^1];

    private static async Task<HttpStatusCode> WaitAsync(GatewayHost gateway, int seconds)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/i/mine/v2/game") { Headers = { { "Prefer", $"wait={seconds}" } } };
        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        return response.StatusCode;
    }

    private static async Task<JsonElement> SendAsync(GatewayHost gateway, HttpMethod method, string path, HttpStatusCode status = HttpStatusCode.OK, string? body = null)
    {
        using var request = new HttpRequestMessage(method, path) { Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json") };
        using var response = await gateway.Client.SendAsync(request, TestContext.Current.CancellationToken);
        var text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.True(status == response.StatusCode, $"{method} {path}: {response.StatusCode} {text}");
        return JsonDocument.Parse(text).RootElement;
    }
}
