using System.Diagnostics.Metrics;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>Gateways of which one leads, with a real PostgreSQL.</summary>
public sealed class FleetLeaderTests(PostgresServer server)
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    /// <summary>A machine with a host and the gateway that leads is lost: the other gateway has seen the lease of the host all the time.</summary>
    [Fact]
    public async Task Gateway_ThatTakesOver_NeedNotWaitALeaseTimeForAHostThatItObserved()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var host = await fleet.AddHostAsync();
        await fleet.PlaceAsync("game", host);
        await using var database = new FleetDatabase(fleet.Options with { Database = $"{fleet.Options.Database};Maximum Pool Size=17" });
        using var statements = new Statements("Maximum Pool Size=17");
        using var leader = Leader(fleet.Database, new ManualTime());
        await leader.StartAsync(Cancelled);
        await Eventually.IsAsync(async () => await LeadsAsync(fleet));
        var time = new ManualTime();
        using var other = Leader(database, time);
        await other.StartAsync(Cancelled);
        await Eventually.Is(() => statements.All.Count(statement => statement.Sql.Contains("lease_until", StringComparison.Ordinal)) > 1); // what the first one returned is noted

        await fleet.AdvanceAsync(fleet.Options.LeaseTime);
        time.Advance(fleet.Options.LeaseTime);
        Assert.Equal("placed", (await fleet.Sessions.FindAsync(null, "game", Cancelled))!.State); // it does not lead
        await leader.StopAsync(Cancelled);
        await Eventually.IsAsync(async () => (await fleet.Sessions.FindAsync(null, "game", Cancelled))!.Host is null); // its clock is stopped
        await other.StopAsync(Cancelled);

        FleetLeader Leader(FleetDatabase itsDatabase, TimeProvider itsTime) => new(
            itsDatabase, null, fleet.Options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), itsTime, NullLogger<FleetLeader>.Instance);
    }

    private static async Task<bool> LeadsAsync(FleetWorld fleet) => (await fleet.Database.QueryAsync(
        "select count(*) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
        static row => row.GetInt64(0), Cancelled))[0] > 0;
}
