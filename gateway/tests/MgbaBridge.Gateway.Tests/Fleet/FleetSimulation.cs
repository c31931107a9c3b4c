using System.Collections.Concurrent;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>
/// A fleet with the real registry, reconcile loop and PostgreSQL, whose hosts are objects and whose clock is set second by second. Hosts crash, lose
/// their way to the database and get it back, and are replaced; leaders change, and two of them believe to lead at once.
/// </summary>
internal sealed class FleetSimulation
{
    private const int ReplacedAfter = 20; // seconds, as an engine needs

    private readonly FleetWorld _fleet;
    private readonly Random _random;
    private readonly ManualTime _time = new();
    private readonly List<SimulatedHost> _hosts = [];
    private readonly List<Reconciler> _leaders = [];
    private readonly int _capacity;

    public FleetSimulation(FleetWorld fleet, int seed, int capacity) => (_fleet, _random, _capacity) = (fleet, new Random(seed), capacity);

    /// <summary>Simulated seconds.</summary>
    public int Now { get; private set; }

    public int Crashes { get; private set; }

    public int Cuts { get; private set; }

    public int Lost { get; private set; }

    /// <summary>Writes of hosts that had been replaced, all of which were refused.</summary>
    public int Fenced { get; private set; }

    private int LeaseSeconds => (int)_fleet.Options.LeaseTime.TotalSeconds;

    private static CancellationToken Cancelled => TestContext.Current.CancellationToken;

    public async Task AddHostsAsync(int count)
    {
        foreach (var _ in Enumerable.Range(0, count))
        {
            var host = new SimulatedHost(await _fleet.AddHostAsync(capacity: _capacity)) { LeaseEnds = Now + LeaseSeconds, RenewsAt = Now + 1 + (_hosts.Count % (LeaseSeconds / 3)) };
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
        await ReplaceAsync();
        foreach (var leader in Leaders(failures))
        {
            for (var (more, looks) = (true, 0); more && looks < 100; looks++)
            {
                var result = await leader.LookAsync(Cancelled);
                Lost += result.Lost;
                more = !result.IsComplete;
            }
        }

        await Parallel.ForEachAsync(_hosts.Where(host => host is { HasCrashed: false, IsCut: false }), new ParallelOptions { MaxDegreeOfParallelism = 8, CancellationToken = Cancelled }, async (host, _) => await ActAsync(host));
        _hosts.RemoveAll(host => host is { HasCrashed: true, IsReplaced: true });
        Check();
    }

    /// <summary>Whether every session runs on exactly one host that lives.</summary>
    public async Task<bool> HasConvergedAsync(int sessions)
    {
        var running = _hosts.Where(host => host is { HasCrashed: false, IsCut: false }).SelectMany(host => host.Copies.Where(copy => copy.Value.RunsAt < 0).Select(copy => copy.Key)).ToList();
        return running.Count == sessions && running.Distinct().Count() == sessions && (await _fleet.Sessions.CountAsync(Cancelled)) is [("running", var count)] && count == sessions;
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
            }
            else if (chance < failures)
            {
                (host.IsCut, host.CutFor) = (true, _random.Next(1, 4 * LeaseSeconds));
                Cuts++;
            }
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

    /// <summary>Usually one leader; now and then a new one, and for a while a former one that does not know it yet.</summary>
    private List<Reconciler> Leaders(double failures)
    {
        if (_leaders.Count == 0 || (failures > 0 && _random.Next(60) == 0))
        {
            _leaders.Add(new Reconciler(_fleet.Placements, _fleet.Options, _time));
        }

        if (_leaders.Count > 2 || (_leaders.Count > 1 && _random.Next(10) == 0))
        {
            _leaders.RemoveAt(0);
        }

        return _leaders;
    }

    private async Task ActAsync(SimulatedHost host)
    {
        if (Now >= host.RenewsAt)
        {
            host.RenewsAt = Now + (LeaseSeconds / 3);
            var revision = await _fleet.Hosts.RenewAsync(host.Id, _capacity * 0.1, Cancelled);
            if (revision is null)
            {
                await TryToWriteAsync(host);
                (host.HasCrashed, host.CrashedAt) = (true, Now); // it ends all its copies; another one takes its place after a while
                return;
            }

            host.LeaseEnds = Now + LeaseSeconds;
            if (revision != host.Revision)
            {
                host.Revision = revision.Value;
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
            if (await _fleet.States.SaveAsync(host.Id, copy.Copy, State(copy.Copy), Cancelled))
            {
                host.Copies[copy.Copy.Session] = copy with { SavedAt = Now };
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
            Assert.False(await _fleet.States.SaveAsync(host.Id, copy.Copy, State(copy.Copy), Cancelled), $"A host that was declared lost stored a state of {copy.Copy}.");
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

    private static SessionState State(SessionCopy copy) => new(System.Text.Encoding.UTF8.GetBytes($"state of {copy.Session} at {Guid.NewGuid()}"), "{}", 1);

    private sealed class SimulatedHost(Guid id)
    {
        public Guid Id { get; } = id;

        public ConcurrentDictionary<string, SimulatedCopy> Copies { get; } = [];

        public int LeaseEnds { get; set; }

        public int RenewsAt { get; set; }

        public long Revision { get; set; }

        public bool HasCrashed { get; set; }

        public int CrashedAt { get; set; }

        public bool IsReplaced { get; set; }

        public bool IsCut { get; set; }

        public int CutFor { get; set; }
    }

    /// <summary>A copy on a host; it runs at the second <c>RunsAt</c>, or already if that is negative.</summary>
    private sealed record SimulatedCopy(SessionCopy Copy, int RunsAt, int SavedAt);
}
