using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Fleet;

public sealed class FleetMetricsTests(PostgresServer server)
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Metrics_OfTwoGateways_HaveEachHostOnce()
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync());
        await using var database = new FleetDatabase(options);
        var host = new HostDescription(Guid.NewGuid(), null, null, "node1", "1.0", "127.0.0.1", 1, 0); // without room: what is created waits
        Assert.True(await new HostRegistry(database, options).RegisterAsync(host, Cancelled));
        await new SessionRegistry(database, options).CreateAsync(new NewSessions("game.gba", 2, "me"), Cancelled);
        await using var first = GatewayHost.StartWithoutPort(("Fleet:Database", options.Database!));
        await using var second = GatewayHost.StartWithoutPort(("Fleet:Database", options.Database!));
        ScrapedPage[] pages = [];
        await Eventually.IsAsync(async () =>
        {
            pages = [await ScrapeAsync(first), await ScrapeAsync(second)];
            return pages.All(page => page.ValueOr0("mgba_fleet_database_up") == 1) && pages.Any(page => page.Families.Contains("mgba_fleet_session_count"));
        });
        var leader = Assert.Single(pages, page => page.Value("mgba_fleet_leader") == 1);
        Assert.Same(leader, Assert.Single(pages, page => page.Families.Contains("mgba_fleet_host_capacity")));
        Assert.Equal(2, leader.Value("mgba_fleet_session_count", ("mgba_state", "pending")));
        Assert.Equal(0, leader.Value("mgba_fleet_session_count", ("mgba_state", "running")));
        (string, string)[] labels = [("mgba_host", "node1"), ("mgba_host_id", host.Id.ToString()), ("mgba_state", "ready")];
        Assert.Equal(0, leader.Value("mgba_fleet_host_capacity", labels));
        Assert.InRange(leader.Value("mgba_fleet_host_lease_seconds", labels), -600, 15);
        Assert.Equal(0, leader.Value("mgba_fleet_state_age_seconds")); // none runs
        Assert.Equal(0, leader.Value("mgba_fleet_host_lost_total"));
    }

    /// <summary>As on nodes that lack the program: the engine takes each request, and its jobs end at once.</summary>
    [Fact]
    public async Task Metrics_OfJobsThatEndAtOnce_CountAsFailuresOfTheEngine()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()), ("Fleet:Engine", "local"), ("Fleet:NodeProgram", "false"));
        using var created = await gateway.Client.PostAsync("/v2/fleet/sessions", new StringContent("""{"rom":":test:"}""", System.Text.Encoding.UTF8, "application/json"), Cancelled);
        Assert.True(created.IsSuccessStatusCode);
        await Eventually.IsAsync(async () => (await ScrapeAsync(gateway)).ValueOr0("mgba_fleet_engine_failed_total") > 0);
    }

    [Fact]
    public async Task Metrics_WhileTheDatabaseIsAway_SaySo()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", "Host=/nonexistent;Username=nobody"));
        var page = await ScrapeAsync(gateway);
        Assert.Equal((0, 0), (page.Value("mgba_fleet_database_up"), page.Value("mgba_fleet_leader")));
        Assert.DoesNotContain("mgba_fleet_session_count", page.Families);
    }

    [Fact]
    public async Task Metrics_WithoutAFleet_HaveNothingOfIt()
    {
        await using var gateway = GatewayHost.StartWithoutPort(("Discover", "false"));
        Assert.DoesNotContain((await ScrapeAsync(gateway)).Families, family => family.StartsWith("mgba_fleet", StringComparison.Ordinal));
    }

    private static async Task<ScrapedPage> ScrapeAsync(GatewayHost gateway) => ScrapedPage.Parse(await gateway.Client.GetStringAsync("/metrics", Cancelled));
}
