using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Globalization;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using Microsoft.Extensions.DependencyInjection;
using Npgsql;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>A whole fleet under failures. FLEET_HOSTS, FLEET_SESSIONS, FLEET_SECONDS and FLEET_SEED change its size; FLEET_REPORT names a file for its figures (docs/reliability.md).</summary>
public sealed class FleetSimulationTests(PostgresServer server)
{
    private const int CalmSeconds = 60;
    private const int Gateways = 2;
    private const int JobsEndWithin = 5; // seconds
    private const int ConvergesWithin = 180; // seconds: a lease time, the replacement of hosts, the longest pauses

    [Fact]
    public async Task Fleet_WhoseHostsFailAllTheTime_NeverHasTwoWritableCopiesAndConverges()
    {
        var (hosts, sessions, seconds) = (Setting("FLEET_HOSTS", 25), Setting("FLEET_SESSIONS", 500), Setting("FLEET_SECONDS", 120));
        var capacity = sessions / hosts * 5 / 4;
        await using var fleet = await FleetWorld.StartAsync(server);
        using var statements = new Statements($"Database={new NpgsqlConnectionStringBuilder(fleet.Options.Database).Database}");
        var simulation = new FleetSimulation(fleet, Setting("FLEET_SEED", 1), capacity);
        for (var created = 0; created < sessions; created += 500)
        {
            var result = await fleet.Sessions.CreateAsync(new NewSessions("game.gba", Math.Min(500, sessions - created), $"owner{created / 500}"), TestContext.Current.CancellationToken);
            Assert.Equal(SessionFailure.None, result.Failure);
        }

        await simulation.AddHostsAsync(hosts);
        statements.All.Clear();
        while (simulation.Now < seconds)
        {
            await simulation.StepAsync(failures: 0.002);
        }

        var failed = simulation.Now;
        while (!await simulation.HasConvergedAsync(sessions))
        {
            Assert.True(simulation.Now < failed + ConvergesWithin, $"Not converged {ConvergesWithin} s after the last failure.");
            await simulation.StepAsync(failures: 0);
        }

        Report(simulation, statements.All, failed);
        Assert.True(simulation.Crashes > 0 && simulation.Cuts > 0 && simulation.Lost > 0 && simulation.Fenced > 0, "The simulation had no failures; choose another seed.");
        await AssertGenerationsRiseAsync(fleet);
    }

    /// <summary>Each session is a job of an engine that loses, doubles and brings back jobs. At the end there is one for each session, and none when all were deleted.</summary>
    [Fact]
    public async Task Fleet_WithAnEngineThatFailsAllTheTime_HasOneJobForEachSessionInTheEndAndNoneAfterTheirDeletion()
    {
        var (sessions, seconds) = (Setting("FLEET_JOBS", 60), Setting("FLEET_SECONDS", 120));
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var simulation = new FleetSimulation(fleet, Setting("FLEET_SEED", 1), 1, new FleetMetrics(services.GetRequiredService<IMeterFactory>()));
        await fleet.Sessions.CreateAsync(new NewSessions("game.gba", sessions, "me"), TestContext.Current.CancellationToken);
        while (simulation.Now < seconds)
        {
            await simulation.StepAsync(failures: 0.005);
        }

        var failed = simulation.Now;
        while (!await simulation.HasConvergedAsync(sessions) || simulation.Jobs != sessions)
        {
            Assert.True(simulation.Now < failed + ConvergesWithin, $"Not converged {ConvergesWithin} s after the last failure: {simulation.Jobs} jobs.");
            await simulation.StepAsync(failures: 0);
        }

        Assert.True(simulation.Crashes > 0 && simulation.Cuts > 0 && simulation.Lost > 0 && simulation.Refused > 0, "The simulation had no failures; choose another seed.");
        await AssertGenerationsRiseAsync(fleet);
        await fleet.RunAsync("update mgba_fleet.sessions set desired = 'deleted'");
        var deleted = simulation.Now;
        while (simulation.Jobs > 0 || await fleet.CountAsync("mgba_fleet.sessions") > 0)
        {
            Assert.True(simulation.Now < deleted + JobsEndWithin, $"{simulation.Jobs} jobs {JobsEndWithin} s after the deletion of all sessions.");
            await simulation.StepAsync(failures: 0);
        }
    }

    /// <summary>What a large fleet asks of its database while nothing fails, and how it gets over the loss of a fifth of its nodes.</summary>
    [Fact]
    public async Task Fleet_OfManyJobs_StartsContinuesAfterLostNodesAndAsksLittleOfItsDatabase()
    {
        var (sessions, nodes, lease) = (Setting("FLEET_JOBS", 100), Setting("FLEET_NODES", 10), Setting("FLEET_LEASE", 15));
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-states-");
        try
        {
            await using var durable = new PostgresServer { IsDurable = true }; // as much WAL as a real one
            await using var fleet = await FleetWorld.StartAsync(durable, options =>
            {
                (options.LeaseTime, options.StateStore, options.MaxJobs) = (TimeSpan.FromSeconds(lease), $"file://{folder.FullName}", sessions);
                return options;
            });
            await fleet.States.MakeStoreAsync(TestContext.Current.CancellationToken);
            using var statements = new Statements($"Database={new NpgsqlConnectionStringBuilder(fleet.Options.Database).Database}");
            await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
            var simulation = new FleetSimulation(fleet, Setting("FLEET_SEED", 1), 1, new FleetMetrics(services.GetRequiredService<IMeterFactory>())) { Nodes = nodes, StateBytes = 200_000 };
            var ids = (await fleet.Sessions.CreateAsync(new NewSessions("game.gba", sessions, "me"), TestContext.Current.CancellationToken)).Ids;
            await ConvergeAsync(60);
            var created = simulation.Now;

            var (began, log) = (simulation.Now, await WrittenAsync());
            statements.All.Clear();
            for (var second = 0; second < CalmSeconds; second++)
            {
                await simulation.StepAsync(failures: 0);
                if (second % 2 == 0)
                {
                    await Task.WhenAll(Enumerable.Range(0, Gateways).Select(_ => new RouteRegistry(fleet.Database).FindAsync(ids, TestContext.Current.CancellationToken)));
                }
            }

            var bytes = (await WrittenAsync() - log) / CalmSeconds;
            var calm = statements.All.Where(one => !one.Sql.Contains("test_clock", StringComparison.Ordinal)).ToArray();
            var report = string.Create(CultureInfo.InvariantCulture, $"{sessions} sessions, lease {lease} s: created in {created} s; then {calm.Length / (double)CalmSeconds:0} statements and {bytes} bytes of WAL a second");
            var lines = calm.GroupBy(one => one.Sql).OrderByDescending(group => group.Count()).Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Count() / (double)CalmSeconds,8:0.0} {Head(group.Key)}"));

            simulation.LoseNodes(nodes / 5);
            var (failed, crashes) = (simulation.Now, simulation.Crashes);
            await ConvergeAsync(lease + 10);
            report = $"{report}; {crashes} sessions of {nodes / 5} lost nodes run after {simulation.Now - failed} s\n{string.Join('\n', lines)}\n";
            TestContext.Current.SendDiagnosticMessage(report);
            if (Environment.GetEnvironmentVariable("FLEET_REPORT") is { Length: > 0 } file)
            {
                File.WriteAllText(file, report);
            }

            Assert.InRange(crashes, 1, sessions - 1);
            await AssertGenerationsRiseAsync(fleet);

            async Task ConvergeAsync(int within)
            {
                var from = simulation.Now;
                while (!await simulation.HasConvergedAsync(sessions))
                {
                    Assert.True(simulation.Now < from + within, $"Not converged after {within} s.");
                    await simulation.StepAsync(failures: 0);
                }
            }

            async Task<long> WrittenAsync() => (await fleet.Database.QueryAsync("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint", static row => row.GetInt64(0), TestContext.Current.CancellationToken))[0];
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>The event log: each placement of a session has a generation of its own, and what ran was placed before on that host.</summary>
    private static async Task AssertGenerationsRiseAsync(FleetWorld fleet)
    {
        var wrong = await fleet.Database.QueryAsync(
            """
            select count(*) from (
              select e.session, e.generation, lag(e.generation) over (partition by e.session order by e.id) as before from mgba_fleet.events e where e.kind = 'session.placed') p
            where p.before is not null and p.generation <= p.before
            union all
            select count(*) from mgba_fleet.events r where r.kind = 'session.running'
              and not exists (select 1 from mgba_fleet.events p where p.kind = 'session.placed' and p.session = r.session and p.generation = r.generation and p.host = r.host and p.id < r.id)
            """,
            static row => row.GetInt64(0), TestContext.Current.CancellationToken);
        Assert.Equal([0, 0], wrong);
    }

    private static void Report(FleetSimulation simulation, ConcurrentQueue<(string Sql, TimeSpan Took, long Rows)> measured, int failed)
    {
        var lines = measured.GroupBy(query => query.Sql).OrderByDescending(group => group.Count()).Select(group => string.Create(
            CultureInfo.InvariantCulture,
            $"{group.Count() / (double)simulation.Now,8:0.0} a second {group.Sum(query => query.Rows) / (double)simulation.Now,10:0.0} rows, p50 {Quantile(group, 0.5),7:0.00} ms, p99 {Quantile(group, 0.99),7:0.00} ms: {Head(group.Key)}"));
        TestContext.Current.SendDiagnosticMessage(string.Create(
            CultureInfo.InvariantCulture,
            $"{simulation.Now} s simulated: {simulation.Crashes} crashes, {simulation.Cuts} cuts, {simulation.Lost} hosts lost, {simulation.Fenced} writes fenced; converged {simulation.Now - failed} s after the last failure\n{string.Join('\n', lines)}"));
        if (Environment.GetEnvironmentVariable("FLEET_REPORT") is { Length: > 0 } file)
        {
            File.WriteAllText(file, string.Create(
                CultureInfo.InvariantCulture,
                $"seconds={simulation.Now} crashes={simulation.Crashes} cuts={simulation.Cuts} lost={simulation.Lost} fenced={simulation.Fenced} converged={simulation.Now - failed} queries={measured.Count / (double)simulation.Now:0.0}/s rows={measured.Sum(query => query.Rows) / (double)simulation.Now:0}/s p99={Quantile(measured, 0.99):0.00}ms\n{string.Join('\n', lines)}\n"));
        }
    }

    private static double Quantile(IEnumerable<(string Sql, TimeSpan Took, long Rows)> queries, double quantile)
    {
        var sorted = queries.Select(query => query.Took.TotalMilliseconds).Order().ToArray();
        return sorted[(int)(quantile * (sorted.Length - 1))];
    }

    private static string Head(string sql)
    {
        var words = string.Join(' ', sql.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        return words[..Math.Min(110, words.Length)];
    }

    private static int Setting(string name, int otherwise) => int.TryParse(Environment.GetEnvironmentVariable(name), CultureInfo.InvariantCulture, out var value) ? value : otherwise;
}
