using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>What the leader knows at one moment.</summary>
/// <param name="Hosts">The hosts that are not gone.</param>
/// <param name="Unplaced">Sessions without a living host, those that have waited longest first.</param>
/// <param name="SilentHosts">Hosts whose leases this leader has seen unchanged for a whole lease time.</param>
/// <param name="CanStartHosts">Whether an engine starts hosts.</param>
/// <param name="EngineProblem">Why the engine failed last, or empty.</param>
public sealed record FleetSnapshot(
    IReadOnlyList<HostRow> Hosts, IReadOnlyList<UnplacedRow> Unplaced, IReadOnlySet<Guid> SilentHosts, bool CanStartHosts, string EngineProblem = "");

/// <summary>What is to be done, in this order.</summary>
/// <param name="Lost">Hosts to declare lost.</param>
/// <param name="Removed">Deleted sessions to remove.</param>
/// <param name="Placed">Sessions to place on hosts.</param>
/// <param name="Waiting">Sessions that no host can take, for which <paramref name="WaitingFor"/> is not stored yet.</param>
/// <param name="WaitingFor">Why they wait.</param>
/// <param name="Missing">Emulators that hosts are missing for.</param>
/// <param name="Free">Places that are free afterwards.</param>
public sealed record FleetPlan(
    IReadOnlyList<Guid> Lost, IReadOnlyList<SessionCopy> Removed, IReadOnlyList<Placement> Placed, IReadOnlyList<SessionCopy> Waiting, string WaitingFor, int Missing, int Free)
{
    /// <summary>Processors that a game at its console's speed takes, until its host reports what is free.</summary>
    public const double ProcessorsPerEmulator = 0.1;

    /// <summary>Decides what is to be done. The same snapshot gives the same plan.</summary>
    public static FleetPlan Decide(FleetSnapshot snapshot)
    {
        // both must agree: the database, whose clock may have been set, and this program, which may have started just now
        var lost = snapshot.Hosts.Where(host => host.HasExpired && snapshot.SilentHosts.Contains(host.Id)).Select(host => host.Id).ToArray();
        var removed = snapshot.Unplaced.Where(session => !session.IsWanted).Select(session => session.Copy).ToArray();
        var free = FreeHosts(snapshot.Hosts);
        List<Placement> placed = [];
        List<UnplacedRow> waiting = [];
        foreach (var session in snapshot.Unplaced.Where(session => session is { IsWanted: true, IsDue: true }))
        {
            if (Take(free, session.FailedOn) is not { } candidate)
            {
                waiting.Add(session);
                continue;
            }

            placed.Add(new Placement(session.Copy, candidate.Host));
            var left = candidate with { Emulators = candidate.Emulators - 1, Processors = candidate.Processors - ProcessorsPerEmulator };
            if (left.Emulators > 0)
            {
                free.Enqueue(left, left.Order);
            }
        }

        var reason = Reason(snapshot);
        return new FleetPlan(lost, removed, placed, [.. waiting.Where(session => session.Detail != reason).Select(session => session.Copy)], reason, waiting.Count, free.UnorderedItems.Sum(item => item.Element.Emulators));
    }

    /// <summary>Hosts with room, the one with most idle processors first; equal ones in the order of their ids.</summary>
    private static PriorityQueue<FreeHost, (double, Guid)> FreeHosts(IReadOnlyList<HostRow> hosts)
    {
        var free = new PriorityQueue<FreeHost, (double, Guid)>();
        foreach (var host in hosts.Where(host => host is { IsReady: true, HasExpired: false } && host.Sessions < host.Capacity))
        {
            var candidate = new FreeHost(host.Id, host.Capacity - host.Sessions, host.ProcessorsFree);
            free.Enqueue(candidate, candidate.Order);
        }

        return free;
    }

    /// <summary>
    /// Takes the first host where the session did not fail; a host that has no room on its disk, or lacks the ROM, often looks idle. If it failed on all of
    /// them, the first one is tried again.
    /// </summary>
    private static FreeHost? Take(PriorityQueue<FreeHost, (double, Guid)> free, IReadOnlyList<Guid> failedOn)
    {
        List<FreeHost> passed = [];
        FreeHost? taken = null;
        while (taken is null && free.TryDequeue(out var candidate, out _))
        {
            if (failedOn.Contains(candidate.Host))
            {
                passed.Add(candidate);
            }
            else
            {
                taken = candidate;
            }
        }

        foreach (var candidate in taken is null ? passed.Skip(1) : passed)
        {
            free.Enqueue(candidate, candidate.Order);
        }

        return taken ?? (passed is [var first, ..] ? first : null);
    }

    private static string Reason(FleetSnapshot snapshot)
    {
        var capacity = snapshot.Hosts.Where(host => host is { IsReady: true, HasExpired: false }).Sum(host => host.Capacity);
        return snapshot.CanStartHosts && snapshot.EngineProblem.Length > 0 ? $"It waits for a host, and the engine failed, which is tried again: {snapshot.EngineProblem}"
            : snapshot.CanStartHosts ? "It waits for a host, which was requested from the engine."
            : capacity == 0 ? "It waits for a host: none is ready. Start one with mgba-bridge node."
            : $"It waits for a host: all {capacity} places are taken. Start another host with mgba-bridge node, or delete sessions.";
    }

    private readonly record struct FreeHost(Guid Host, int Emulators, double Processors)
    {
        public (double, Guid) Order => (-Processors, Host);
    }
}
