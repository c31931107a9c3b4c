using System.Diagnostics.Metrics;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using Npgsql;

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
            itsDatabase, null, null, fleet.Options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), itsTime, NullLogger<FleetLeader>.Instance);
    }

    /// <summary>What jobs connect with is wrong: it is said where an operator looks, until it works.</summary>
    [Fact]
    public async Task Leader_WithAWrongHostDatabase_SaysSoUntilItWorks()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var options = fleet.Options with { HostDatabase = new NpgsqlConnectionStringBuilder(fleet.Options.Database) { Username = "host_of_a_test" }.ConnectionString };
        await using var hosts = new FleetDatabase(options, ofHosts: true);
        using var engine = new LocalEngine(new NodeProgram(["false"], new Dictionary<string, string?>()));
        var time = new ManualTime();
        using var leader = new FleetLeader(
            fleet.Database, hosts, engine, options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), time, NullLogger<FleetLeader>.Instance);
        await leader.StartAsync(Cancelled);
        await IsProblemAsync("Jobs cannot use Bridge:Fleet:HostDatabase: role \"host_of_a_test\" does not exist. Correct it,");
        await fleet.RunAsync("create role host_of_a_test login");
        time.Advance(TimeSpan.FromMinutes(1));
        await IsProblemAsync("Jobs cannot use Bridge:Fleet:HostDatabase: permission denied for schema mgba_fleet. Correct it,");
        await fleet.RunAsync("grant usage on schema mgba_fleet to host_of_a_test; grant select on mgba_fleet.fleet to host_of_a_test");
        time.Advance(TimeSpan.FromMinutes(1));
        await Eventually.IsAsync(async () => await fleet.Leader.EngineProblemAsync(Cancelled) == "");
        await leader.StopAsync(Cancelled);

        Task IsProblemAsync(string expected) => Eventually.IsAsync(async () => (await fleet.Leader.EngineProblemAsync(Cancelled)).StartsWith(expected, StringComparison.Ordinal));
    }

    private static async Task<bool> LeadsAsync(FleetWorld fleet) => (await fleet.Database.QueryAsync(
        "select count(*) from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
        static row => row.GetInt64(0), Cancelled))[0] > 0;
}
