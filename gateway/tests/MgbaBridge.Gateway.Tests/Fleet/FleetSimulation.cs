using System.Collections.Concurrent;
using System.Security.Cryptography;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>
/// A fleet with the real registry, reconcile loop and PostgreSQL, whose hosts are objects and whose clock is set second by second. Hosts crash, lose
/// their way to the database and get it back; leaders change, and two of them believe to lead at once. With an engine each host is a job of it; otherwise
/// hosts take what waits, and those that crash are replaced.
/// </summary>
internal sealed class FleetSimulation
{
    private const int ReplacedAfter = 20; // seconds, as an engine needs

    private readonly FleetWorld _fleet;
    private readonly Random _random;
    private readonly ManualTime _time = new();
    private readonly List<SimulatedHost> _hosts = [];
    private readonly List<(Reconciler Hosts, EngineJobs? Jobs)> _leaders = [];
    private readonly int _capacity;
    private readonly SimulatedEngine? _engine;
    private readonly FleetMetrics? _metrics;

    /// <summary>Makes one. With metrics there is an engine.</summary>
    public FleetSimulation(FleetWorld fleet, int seed, int capacity, FleetMetrics? metrics = null)
    {
        (_fleet, _random, _capacity, _metrics) = (fleet, new Random(seed), metrics is null ? capacity : 1, metrics);
        _engine = metrics is null ? null : new SimulatedEngine(_random);
    }

    /// <summary>Simulated seconds.</summary>
    public int Now { get; private set; }

    public int Crashes { get; private set; }

    public int Cuts { get; private set; }

    public int Lost { get; private set; }

    /// <summary>Writes of hosts that had been replaced, all of which were refused.</summary>
    public int Fenced { get; private set; }

    /// <summary>Jobs that the engine has, also those that it doubled or brought back.</summary>
    public int Jobs => _engine!.Jobs.Count;

    /// <summary>Jobs that were refused when they registered.</summary>
    public int Refused { get; private set; }

    /// <summary>Nodes of the engine, each of which runs the jobs whose sessions have its number.</summary>
    public int Nodes { get; init; } = 1;

    /// <summary>The size of the hosts' states, which cannot be compressed.</summary>
    public int StateBytes { get; init; } = 64;

    private int LeaseSeconds => (int)_fleet.Options.LeaseTime.TotalSeconds;

    private int RenewSeconds => (int)(LeaseSeconds * 0.55);

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async Task AddHostsAsync(int count)
    {
        foreach (var _ in Enumerable.Range(0, count))
        {
            var host = new SimulatedHost(await _fleet.AddHostAsync(capacity: _capacity)) { LeaseEnds = Now + LeaseSeconds, RenewsAt = Now + 1 + (_hosts.Count % RenewSeconds) };
            _hosts.Add(host);
        }
    }

    /// <summary>One second passes; in it, things fail with this probability for each host.</summary>
    public async Task StepAsync(double failures)
    {
        Now++;
        await _fleet.AdvanceAsync(TimeSpan.FromSeconds(1));
        _time.Advance(TimeSpan.FromSeconds(1));
        Fail(failures);
        await (_engine is null ? ReplaceAsync() : RunJobsAsync(failures));
        foreach (var (leader, jobs) in Leaders(failures))
        {
            var result = await leader.LookAsync(Cancelled);
            Lost += result.Lost;
            await (jobs?.LookAsync(result.Removed > 0, Cancelled) ?? Task.CompletedTask);
        }

        await Parallel.ForEachAsync(_hosts.Where(host => host is { HasCrashed: false, IsCut: false }), new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = Cancelled }, async (host, _) => await ActAsync(host));
        _hosts.RemoveAll(host => host.HasCrashed && (host.IsReplaced || _engine is not null));
        Check();
    }

    /// <summary>Whether every session runs on exactly one host that lives.</summary>
    public async Task<bool> HasConvergedAsync(int sessions)
    {
        var running = _hosts.Where(host => host is { HasCrashed: false, IsCut: false }).SelectMany(host => host.Copies.Where(copy => copy.Value.RunsAt < 0).Select(copy => copy.Key)).ToList();
        return running.Count == sessions && running.Distinct().Count() == sessions && (await _fleet.Sessions.CountAsync(null, Cancelled)) is [("running", var count)] && count == sessions;
    }

    private void Fail(double failures)
    {
        foreach (var host in _hosts.Where(host => !host.HasCrashed))
        {
            var chance = _random.NextDouble();
            if (host.IsCut)
            {
                host.IsCut = --host.CutFor > 0;
            }
            else if (chance < failures / 2)
            {
                host.HasCrashed = true;
                host.CrashedAt = Now;
                Crashes++;
                if (host.Job is { } job)
                {
                    _engine!.Jobs.Remove(job);
                }
            }
            else if (chance < failures)
            {
                (host.IsCut, host.CutFor) = (true, _random.Next(1, 4 * LeaseSeconds));
                Cuts++;
            }
        }
    }

    /// <summary>The first nodes are lost with everything on them, which the engine notices.</summary>
    public void LoseNodes(int count)
    {
        foreach (var host in _hosts.Where(host => host is { HasCrashed: false, Job: { } job } && (int)((uint)job.Copy.Session.GetHashCode(StringComparison.Ordinal) % Nodes) < count))
        {
            host.HasCrashed = true;
            Crashes++;
            _engine!.Jobs.Remove(host.Job!);
        }
    }

    private async Task ReplaceAsync()
    {
        var due = _hosts.Where(host => host is { HasCrashed: true, IsReplaced: false } && Now - host.CrashedAt >= ReplacedAfter).ToArray();
        foreach (var host in due)
        {
            host.IsReplaced = true;
        }

        await AddHostsAsync(due.Length);
    }

    /// <summary>Jobs start after a while, and those that the engine ends give their session back.</summary>
    private async Task RunJobsAsync(double failures)
    {
        foreach (var job in _engine!.Step(Now, failures))
        {
            var id = Guid.NewGuid();
            if (await _fleet.Hosts.RegisterAsync(FleetWorld.Describe(id, job.Copy, capacity: 1), Cancelled))
            {
                job.Host = new SimulatedHost(id) { LeaseEnds = Now + LeaseSeconds, RenewsAt = Now + RenewSeconds, Job = job };
                _hosts.Add(job.Host);
                await TakeAssignmentsAsync(job.Host);
            }
            else
            {
                Refused++;
                _engine.Jobs.Remove(job);
            }
        }

        foreach (var job in _engine.Jobs.Where(job => job is { IsStopped: true, Host: { IsCut: false } or null }).ToArray())
        {
            _engine.Jobs.Remove(job);
            if (job.Host is { HasCrashed: false } host)
            {
                host.HasCrashed = true;
                await _fleet.Hosts.DrainAsync(host.Id, Cancelled);
                foreach (var assignment in await _fleet.Hosts.AssignmentsAsync(host.Id, Cancelled))
                {
                    await (assignment.IsWanted ? _fleet.Hosts.ReleaseAsync(host.Id, assignment.Copy, Cancelled) : _fleet.Hosts.ReportEndedAsync(host.Id, assignment.Copy, Cancelled));
                }

                await _fleet.Hosts.LeaveAsync(host.Id, Cancelled);
            }
        }
    }

    /// <summary>Usually one leader; now and then a new one, and for a while a former one that does not know it yet.</summary>
    private List<(Reconciler Hosts, EngineJobs? Jobs)> Leaders(double failures)
    {
        if (_leaders.Count == 0 || (failures > 0 && _random.Next(60) == 0))
        {
            _leaders.Add((
                new Reconciler(_fleet.Leader, _fleet.Options, _time),
                _engine is null ? null : new EngineJobs(_engine, _fleet.Leader, _fleet.Options, _metrics!, _time, NullLogger.Instance)));
        }

        if (_leaders.Count > 2 || (_leaders.Count > 1 && _random.Next(10) == 0))
        {
            _leaders.RemoveAt(0);
        }

        return _leaders;
    }

    private async Task ActAsync(SimulatedHost host)
    {
        if (host.Job is null && host.Copies.Count < _capacity && await _fleet.Hosts.TakeAsync(host.Id, Cancelled) > 0)
        {
            await TakeAssignmentsAsync(host);
        }

        if (Now >= host.RenewsAt)
        {
            var isAsItWas = await _fleet.Hosts.RenewAsync(host.Id, Cancelled);
            if (isAsItWas is null)
            {
                await TryToWriteAsync(host);
                (host.HasCrashed, host.CrashedAt) = (true, Now); // it ends all its copies; another one takes its place after a while
                if (host.Job is { } job)
                {
                    lock (_hosts)
                    {
                        _engine!.Jobs.Remove(job);
                    }
                }

                return;
            }

            host.Renewed(Now, LeaseSeconds, RenewSeconds);
            if (isAsItWas is false)
            {
                await TakeAssignmentsAsync(host);
            }
        }

        var started = host.Copies.Where(copy => copy.Value.RunsAt >= 0 && copy.Value.RunsAt <= Now).Select(copy => copy.Value).ToArray();
        if (started.Length > 0)
        {
            var accepted = await _fleet.Hosts.ReportRunningAsync(host.Id, [.. started.Select(copy => new RunningCopy(copy.Copy, 1, "nonce", "secret"))], Cancelled);
            foreach (var copy in accepted)
            {
                host.Copies[copy.Session] = new SimulatedCopy(copy, -1, Now);
            }
        }

        foreach (var copy in host.Copies.Values.Where(copy => copy.RunsAt < 0 && Now - copy.SavedAt >= 30).ToArray())
        {
            if (await _fleet.States.SaveAsync(host.Id, copy.Copy, State(), Cancelled) is { } isAsItWas)
            {
                host.Copies[copy.Copy.Session] = copy with { SavedAt = Now };
                host.Renewed(Now, LeaseSeconds, RenewSeconds);
                if (!isAsItWas)
                {
                    await TakeAssignmentsAsync(host);
                }
            }
        }
    }

    private async Task TakeAssignmentsAsync(SimulatedHost host)
    {
        var assigned = await _fleet.Hosts.AssignmentsAsync(host.Id, Cancelled);
        foreach (var session in host.Copies.Keys.Except(assigned.Select(assignment => assignment.Copy.Session)).ToArray())
        {
            host.Copies.TryRemove(session, out _);
        }

        foreach (var assignment in assigned.Where(assignment => !host.Copies.TryGetValue(assignment.Copy.Session, out var copy) || copy.Copy != assignment.Copy))
        {
            host.Copies[assignment.Copy.Session] = new SimulatedCopy(assignment.Copy, Now + 1, Now);
        }
    }

    /// <summary>A host that was declared lost tries to write for each of its sessions; none of it may be accepted.</summary>
    private async Task TryToWriteAsync(SimulatedHost host)
    {
        foreach (var copy in host.Copies.Values)
        {
            Assert.False(await _fleet.SaveAsync(host.Id, copy.Copy, State()), $"A host that was declared lost stored a state of {copy.Copy}.");
            lock (_hosts)
            {
                Fenced++;
            }
        }

        Assert.Empty(await _fleet.Hosts.ReportRunningAsync(host.Id, [.. host.Copies.Values.Select(copy => new RunningCopy(copy.Copy, 1, "", ""))], Cancelled));
    }

    /// <summary>A copy can be written while its host believes that its lease lasts. There is never more than one of a session.</summary>
    private void Check()
    {
        var writable = new HashSet<string>();
        foreach (var host in _hosts.Where(host => !host.HasCrashed && Now < host.LeaseEnds))
        {
            foreach (var session in host.Copies.Keys)
            {
                Assert.True(writable.Add(session), $"Two hosts can write {session} in second {Now}.");
            }
        }
    }

    private SessionState State() => new(RandomNumberGenerator.GetBytes(StateBytes), "{}", 1);

    private sealed class SimulatedHost(Guid id)
    {
        public Guid Id { get; } = id;

        public ConcurrentDictionary<string, SimulatedCopy> Copies { get; } = [];

        public int LeaseEnds { get; set; }

        public int RenewsAt { get; set; }

        public void Renewed(int now, int leaseSeconds, int renewSeconds) => (LeaseEnds, RenewsAt) = (now + leaseSeconds, now + renewSeconds);

        public bool HasCrashed { get; set; }

        public int CrashedAt { get; set; }

        public bool IsReplaced { get; set; }

        public SimulatedJob? Job { get; init; }

        public bool IsCut { get; set; }

        public int CutFor { get; set; }
    }

    /// <summary>A copy on a host; it runs at the second <c>RunsAt</c>, or already if that is negative.</summary>
    private sealed record SimulatedCopy(SessionCopy Copy, int RunsAt, int SavedAt);

    /// <summary>A job of the simulated engine.</summary>
    private sealed class SimulatedJob(SessionCopy copy, int startsAt)
    {
        public SessionCopy Copy { get; } = copy;

        public int StartsAt { get; } = startsAt;

        public bool HasStarted { get; set; }

        public bool IsStopped { get; set; }

        public SimulatedHost? Host { get; set; }
    }

    /// <summary>An engine that starts jobs late, and that loses, doubles and brings back jobs, or does not say that it took them.</summary>
    private sealed class SimulatedEngine(Random random) : IFleetEngine
    {
        private readonly List<SessionCopy> _former = [];
        private bool _fails;
        private int _now;

        public List<SimulatedJob> Jobs { get; } = [];

        public string Name => "simulated";

        /// <summary>A second passes. Returns the jobs that begin.</summary>
        public SimulatedJob[] Step(int now, double failures)
        {
            (_now, _fails) = (now, random.NextDouble() < failures * 20);
            foreach (var job in Jobs.Where(job => !job.HasStarted && random.NextDouble() < failures * 10).ToArray())
            {
                Jobs.Remove(job); // lost
                if (random.Next(2) == 0)
                {
                    Jobs.AddRange([new SimulatedJob(job.Copy, now), new SimulatedJob(job.Copy, now + random.Next(3))]); // doubled
                }
            }

            if (_former.Count > 0 && random.NextDouble() < failures * 20)
            {
                Jobs.AddRange(Enumerable.Range(0, 3).Select(_ => new SimulatedJob(_former[random.Next(_former.Count)], now + random.Next(5)))); // a controller that was restarted
            }

            SimulatedJob[] begin = [.. Jobs.Where(job => !job.HasStarted && !job.IsStopped && job.StartsAt <= now)];
            foreach (var job in begin)
            {
                job.HasStarted = true;
            }

            return begin;
        }

        public Task StartAsync(IReadOnlyList<SessionCopy> jobs, string owner, JobResources resources, CancellationToken cancellationToken)
        {
            _former.AddRange(jobs);
            Jobs.AddRange(jobs.Select(job => new SimulatedJob(job, _now + 1 + random.Next(3))));
            return _fails ? throw new EngineException("It may have taken them.") : Task.CompletedTask;
        }

        public Task<IReadOnlyList<EngineJob>> ListAsync(CancellationToken cancellationToken) =>
            _fails ? throw new EngineException("It does not answer.") : Task.FromResult<IReadOnlyList<EngineJob>>([.. Jobs.Select(job => new EngineJob(job.Copy, "any"))]);

        public Task StopAsync(IReadOnlyList<EngineJob> jobs, CancellationToken cancellationToken)
        {
            var copies = jobs.Select(job => job.Copy).ToHashSet();
            Jobs.RemoveAll(job => !job.HasStarted && copies.Contains(job.Copy));
            foreach (var job in Jobs.Where(job => copies.Contains(job.Copy)))
            {
                job.IsStopped = true;
            }

            return Task.CompletedTask;
        }
    }
}
