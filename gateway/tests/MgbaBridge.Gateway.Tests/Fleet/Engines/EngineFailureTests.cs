using System.Diagnostics.Metrics;
using System.Globalization;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Interfaces.CommandLine;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Fleet.Engines;

/// <summary>An engine whose commands hang or fail: it is said why no hosts start, and everything else continues.</summary>
public sealed class EngineFailureTests(PostgresServer server)
{
    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Command_ThatNeverEnds_IsStoppedWithItsChildren()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-engine-");
        try
        {
            var pids = Path.Combine(folder.FullName, "pids");
            const string Script = """trap '' TERM; sleep 1000 & sh -c "sleep 1000; true" & echo $$ $! > "$0"; wait""";
            string[] started = [];
            for (var seconds = 2; started.Length == 0; seconds *= 2) // a busy machine may need longer to start it
            {
                var exception = await Assert.ThrowsAsync<EngineException>(
                    () => BoundedProcess.RunAsync("sh", ["-c", Script, pids], "", new Dictionary<string, string?>(), TimeSpan.FromSeconds(seconds), Cancelled));
                Assert.Contains($"sh did not end within {seconds} s (Bridge:Fleet:EngineTimeout) and was stopped.", exception.Message, StringComparison.Ordinal);
                started = File.Exists(pids) ? File.ReadAllText(pids).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries) : [];
            }

            Assert.Equal(2, started.Length);
            await Eventually.Is(() => started.All(pid => LinuxProcess.HasEnded(int.Parse(pid, CultureInfo.InvariantCulture))));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Engine_ThatHangs_DoesNotKeepTheLeaderFromLostHosts()
    {
        var options = TestFleet.Options(await server.CreateDatabaseAsync()) with { LeaseTime = TimeSpan.FromSeconds(2) };
        await using var database = new FleetDatabase(options);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var engine = new HangingEngine();
        using var leader = new FleetLeader(
            database, null, engine, options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), TimeProvider.System, NullLogger<FleetLeader>.Instance);
        var sessions = new SessionRegistry(database, options);
        await sessions.CreateAsync(new NewSessions("game.gba", 1, "me", "game"), Cancelled);
        await leader.StartAsync(Cancelled);
        await engine.Asked.Task.WaitAsync(Eventually.TimeLimit, Cancelled);
        Assert.True(await new HostRegistry(database, options).RegisterAsync(FleetWorld.Describe(Guid.NewGuid(), new SessionCopy("game", 1)), Cancelled));
        await Eventually.IsAsync(async () => await sessions.FindAsync(null, "game", Cancelled) is { State: "pending", Generation: 1 });
        Assert.Equal(1, engine.Requests);
        await leader.StopAsync(Cancelled);
        Assert.True(engine.IsCancelled);
    }

    [Fact]
    public async Task Command_ThatHangs_IsTheProblemUntilItEndsInTimeAgain()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var (engine, time) = (new CommandEngine { Hangs = true }, new ManualTime());
        var jobs = new EngineJobs(engine, fleet.Leader, fleet.Options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), time, NullLogger.Instance);
        await jobs.LookAsync(wereRemoved: false, Cancelled);
        Assert.Equal("The engine slurm failed, which is tried again: sleep did not end within 0.1 s (Bridge:Fleet:EngineTimeout) and was stopped.", jobs.Problem);
        Assert.Equal("It waits for a host, and the engine failed, which is tried again.", jobs.WaitingFor);

        engine.Hangs = false;
        await jobs.LookAsync(wereRemoved: true, Cancelled);
        Assert.Equal(1, engine.Commands); // it is not asked again at once
        time.Advance(TimeSpan.FromSeconds(5));
        await jobs.LookAsync(wereRemoved: false, Cancelled);
        Assert.Equal("", jobs.Problem);
        Assert.Equal(2, engine.Commands);
    }

    /// <summary>Sessions ask for what the engine does not have: they say so, are tried again after growing pauses, and keep no others from starting.</summary>
    [Fact]
    public async Task Resources_ThatTheEngineRefuses_LetOnlyTheirSessionsWait()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var (engine, time) = (new StingyEngine(), new ManualTime());
        var jobs = new EngineJobs(engine, fleet.Leader, fleet.Options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), time, NullLogger.Instance);
        foreach (var (id, cpus) in new[] { ("a", 64), ("b", 2), ("c", 0), ("d", 2) })
        {
            await fleet.Sessions.CreateAsync(new NewSessions("game.gba", 1, "me", id, cpus == 0 ? default : new JobResources(cpus, 512)), Cancelled);
        }

        await jobs.LookAsync(wereRemoved: false, Cancelled);
        Assert.Equal(["c.1", "b.1 d.1"], engine.Requests); // those with the same resources in one request
        Assert.Equal("", jobs.Problem);
        var refused = (await fleet.Sessions.FindAsync(null, "a", Cancelled))!;
        Assert.Equal((1, 1, "The engine slurm did not take its job: Requested node configuration is not available"), (refused.Failures, refused.Generation, refused.Detail));
        Assert.Equal((64, 512), (refused.Cpus, refused.Memory));

        engine.Reason = "Resources";
        await LookAsync();
        Assert.Equal("Its job 162_0 of the engine slurm waits: Resources.", (await fleet.Sessions.FindAsync(null, "b", Cancelled))!.Detail);
        engine.Reason = "Priority";
        await LookAsync();
        Assert.Equal("Its job 162_0 of the engine slurm waits: Priority.", (await fleet.Sessions.FindAsync(null, "b", Cancelled))!.Detail);
        Assert.True(await fleet.Hosts.RegisterAsync(FleetWorld.Describe(Guid.NewGuid(), new SessionCopy("b", 1), capacity: 1), Cancelled));
        await LookAsync();
        Assert.Equal("", (await fleet.Sessions.FindAsync(null, "b", Cancelled))!.Detail); // it waits no more, whatever the list said
        Assert.Equal(2, engine.Requests.Count);

        async Task LookAsync()
        {
            time.Advance(TimeSpan.FromSeconds(30));
            await jobs.LookAsync(wereRemoved: true, Cancelled);
        }
    }

    /// <summary>An owner may not have so many jobs, and another one has no account: what the engine took stays, and a third owner's sessions start.</summary>
    [Fact]
    public async Task Owners_ThatTheEngineRefuses_HoldUpNoOthers()
    {
        await using var fleet = await FleetWorld.StartAsync(server);
        await using var services = new ServiceCollection().AddMetrics().BuildServiceProvider();
        var (engine, time) = (new StingyEngine { JobsOfAnOwner = 2 }, new ManualTime());
        var jobs = new EngineJobs(engine, fleet.Leader, fleet.Options, new FleetMetrics(services.GetRequiredService<IMeterFactory>()), time, NullLogger.Instance);
        foreach (var (id, owner) in new[] { ("a", "nobody"), ("b1", "many"), ("b2", "many"), ("b3", "many"), ("c", "lab7") })
        {
            await fleet.Sessions.CreateAsync(new NewSessions("game.gba", 1, owner, id), Cancelled);
        }

        await jobs.LookAsync(wereRemoved: false, Cancelled);
        Assert.Equal(["b1.1 b2.1", "c.1"], engine.Requests.Order());
        Assert.Equal(("", "It waits for its job of the engine slurm."), (jobs.Problem, jobs.WaitingFor));
        foreach (var (id, reason) in new[] { ("a", "Invalid account"), ("b3", "Job violates accounting/QOS policy") })
        {
            var refused = (await fleet.Sessions.FindAsync(null, id, Cancelled))!;
            Assert.Equal((1, $"The engine slurm did not take its job: {reason}"), (refused.Failures, refused.Detail));
            var logged = (await new FleetLog(fleet.Database).EventsAsync(null, id, null, 10, Cancelled))[^1];
            Assert.Equal(("job.ended", $"The engine slurm did not take its job: {reason}"), (logged.Kind, logged.Detail));
        }

        time.Advance(TimeSpan.FromSeconds(30));
        await jobs.LookAsync(wereRemoved: true, Cancelled);
        Assert.Empty(engine.Stopped); // what it took is wanted
        Assert.Equal(0, (await fleet.Sessions.FindAsync(null, "b1", Cancelled))!.Failures);
    }

    [Fact]
    public async Task Engine_ThatFails_IsNamedByTheFleetAndBySessionsThatWait()
    {
        // Slurm is missing here, or has no configuration
        await using var gateway = GatewayHost.StartWithoutPort(("Fleet:Database", await server.CreateDatabaseAsync()), ("Fleet:Engine", "slurm"), ("Fleet:EngineTimeout", "00:00:02"));
        using var created = await gateway.Client.PostAsync("/v2/fleet/sessions", new StringContent("""{"rom":"game.gba","id":"mine"}""", System.Text.Encoding.UTF8, "application/json"), Cancelled);
        Assert.True(created.IsSuccessStatusCode);
        var text = "";
        await Eventually.IsAsync(async () => // it asks for the fleet, then for the sessions
            (text = await VerbRun.TextAsync("fleet", "status", "--url", gateway.Client.BaseAddress!.ToString())).Contains("\nThe engine slurm failed", StringComparison.Ordinal)
            && text.Contains("and the engine failed", StringComparison.Ordinal));
        var lines = text.Split('\n');
        Assert.Matches("^The engine slurm failed, which is tried again: (sbatch|squeue) ", lines[1]);
        Assert.Matches("^mine .* It waits for a host, and the engine failed, which is tried again", lines[^2]);
        Assert.Contains("\"engineProblem\":\"The engine slurm failed, which is tried again: s", await gateway.Client.GetStringAsync("/v2/fleet", Cancelled), StringComparison.Ordinal);
    }

    /// <summary>An engine whose commands are real processes, which hang or end at once.</summary>
    private sealed class CommandEngine : IFleetEngine
    {
        public bool Hangs { get; set; }

        public int Commands { get; private set; }

        public string Name => "slurm";

        public Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken) => RunAsync(cancellationToken);

        public async Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken)
        {
            await RunAsync(cancellationToken);
            return [];
        }

        public Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken) => RunAsync(cancellationToken);

        private Task<string> RunAsync(CancellationToken cancellationToken)
        {
            Commands++;
            return Hangs ? BoundedProcess.RunAsync("sleep", ["1000"], "", new Dictionary<string, string?>(), TimeSpan.FromSeconds(0.1), cancellationToken)
                : BoundedProcess.RunAsync("true", [], "", new Dictionary<string, string?>(), TimeSpan.FromMinutes(1), cancellationToken);
        }
    }

    /// <summary>Has at most eight processors for a job, and none for an owner without an account; lets all jobs wait.</summary>
    private sealed class StingyEngine : IFleetEngine
    {
        private readonly List<SessionCopy> _jobs = [];

        public List<string> Requests { get; } = [];

        public List<EngineJob> Stopped { get; } = [];

        public int JobsOfAnOwner { get; init; } = int.MaxValue;

        public string Reason { get; set; } = "";

        public string Name => "slurm";

        public Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken)
        {
            if (resources.Cpus > 8)
            {
                throw new EngineException("Requested node configuration is not available") { Refused = jobs };
            }

            if (owner == "nobody")
            {
                throw new EngineException("Invalid account") { Refused = jobs };
            }

            SessionCopy[] taken = [.. jobs.OrderBy(job => job.Session).Take(JobsOfAnOwner)];
            Requests.Add(string.Join(' ', taken));
            _jobs.AddRange(taken);
            return taken.Length == jobs.Count ? Task.CompletedTask : throw new EngineException("Job violates accounting/QOS policy") { Refused = [.. jobs.Except(taken)] };
        }

        public Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken) => Task.FromResult<IReadOnlyList<EngineJob>>([.. _jobs.Select(job => new EngineJob(job, "162_0", Reason))]);

        public Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
        {
            Stopped.AddRange(jobs);
            return Task.CompletedTask;
        }
    }

    /// <summary>Takes a request and never answers; commands of a real engine cannot be made to wait for exactly as long as a test needs.</summary>
    private sealed class HangingEngine : IFleetEngine
    {
        public TaskCompletionSource Asked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int Requests { get; private set; }

        public bool IsCancelled { get; private set; }

        public string Name => "slurm";

        public async Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken)
        {
            Requests++;
            Asked.TrySetResult();
            try
            {
                await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            }
            finally
            {
                IsCancelled = cancellationToken.IsCancellationRequested;
            }
        }

        public Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken) => Task.FromResult<IReadOnlyList<EngineJob>>([]);

        public Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
