using FsCheck;
using FsCheck.Fluent;
using MgbaBridge.Fleet.Reconcile;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Fleet;

public sealed class FleetPlanTests
{
    private static readonly DateTime Lease = new(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    [Fact]
    public void Decide_OnTwoHosts_PlacesOnTheOneWithMoreIdleProcessors()
    {
        var (busy, idle) = (Host(1, capacity: 8, free: 1), Host(2, capacity: 8, free: 1.5));
        var plan = Decide([busy, idle], [.. Enumerable.Range(0, 8).Select(number => Wanted($"s{number}"))]);
        Assert.Equal(idle.Id, plan.Placed[0].Host);
        Assert.Equal(6, plan.Placed.Count(placement => placement.Host == idle.Id)); // 1.5 of a processor ahead by five games, then in turn
        Assert.Equal(2, plan.Placed.Count(placement => placement.Host == busy.Id));
        Assert.Equal(0, plan.Missing);
    }

    [Theory]
    [InlineData(new[] { 3 }, 2)]
    [InlineData(new[] { 3, 2 }, 1)]
    [InlineData(new[] { 3, 2, 1 }, 3)]
    public void Decide_OfASessionThatFailedOnHosts_PrefersOtherHosts(int[] failedOn, int expected)
    {
        var plan = Decide(
            [Host(1, free: 1), Host(2, free: 2), Host(3, free: 3)], [Wanted("failed") with { FailedOn = [.. failedOn.Select(number => Host(number).Id)] }, Wanted("other")]);
        Assert.Equal([("failed", Host(expected).Id), ("other", Host(3).Id)], plan.Placed.Select(placement => (placement.Copy.Session, placement.Host)));
        Assert.Equal(22, plan.Free); // no place is lost
    }

    [Fact]
    public void Decide_WithTooFewPlaces_SaysWhatTheOthersWaitFor()
    {
        var plan = Decide([Host(1, capacity: 2)], [Wanted("a"), Wanted("b"), Wanted("c"), Wanted("d", detail: "It waits for a host: all 2 places are taken. Start another host with mgba-bridge node, or delete sessions.")]);
        Assert.Equal(["a", "b"], plan.Placed.Select(placement => placement.Copy.Session));
        Assert.Equal(["c"], plan.Waiting.Select(copy => copy.Session)); // it is stored for d already
        Assert.Equal(2, plan.Missing);
        Assert.Contains("all 2 places are taken", plan.WaitingFor, StringComparison.Ordinal);
    }

    [Fact]
    public void Decide_OfHostsThatDrainOrWhoseLeaseEnded_PlacesNothingOnThem()
    {
        var plan = Decide([Host(1) with { IsReady = false }, Host(2) with { HasExpired = true }], [Wanted("a")]);
        Assert.Empty(plan.Placed);
        Assert.Contains("none is ready", plan.WaitingFor, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, true, true)]
    [InlineData(true, false, false)]
    [InlineData(false, true, false)]
    public void Decide_OfASilentHost_DeclaresItLostWhenBothClocksAgree(bool hasExpired, bool isSilent, bool isLost)
    {
        var host = Host(1) with { HasExpired = hasExpired };
        var plan = FleetPlan.Decide(new FleetSnapshot([host], [], isSilent ? new HashSet<Guid> { host.Id } : [], CanStartHosts: false));
        Assert.Equal(isLost, plan.Lost.Contains(host.Id));
    }

    [Fact]
    public void Decide_OfDeletedAndPausedSessions_RemovesTheFirstAndLeavesTheOthers()
    {
        var plan = Decide([Host(1)], [Wanted("gone") with { IsWanted = false }, Wanted("failed") with { IsDue = false }]);
        Assert.Equal(["gone"], plan.Removed.Select(copy => copy.Session));
        Assert.Empty(plan.Placed);
        Assert.Equal(0, plan.Missing);
    }

    /// <summary>Whatever the hosts and sessions are: no host gets more than it takes, each session is placed once, and one that could be placed is.</summary>
    [Fact]
    public void Decide_OfAnySnapshot_FillsHostsAndNeverOverfillsThem() => Prop.ForAll(
        ArbMap.Default.ArbFor<byte[]>(),
        ArbMap.Default.ArbFor<byte>(),
        (capacities, sessions) =>
        {
            var hosts = capacities.Select((capacity, index) => Host(index, capacity % 9, free: capacity)).ToArray();
            var plan = Decide(hosts, [.. Enumerable.Range(0, sessions).Select(number => Wanted($"s{number}"))]);
            Assert.Equal(plan.Placed.Count, plan.Placed.Select(placement => placement.Copy).Distinct().Count());
            Assert.All(hosts, host => Assert.True(plan.Placed.Count(placement => placement.Host == host.Id) <= host.Capacity));
            Assert.Equal(Math.Min(sessions, hosts.Sum(host => host.Capacity)), plan.Placed.Count);
            Assert.Equal(sessions, plan.Placed.Count + plan.Missing);
            return true;
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void Observe_OfALeaseThatStaysTheSame_FindsItSilentAfterALeaseTimeOfItsOwn()
    {
        var time = new ManualTime();
        var observer = new LeaseObserver(TimeSpan.FromSeconds(15), time);
        var host = Host(1) with { HasExpired = true };
        Assert.Empty(observer.Observe([host])); // a new leader has seen nothing yet
        time.Advance(TimeSpan.FromSeconds(14));
        Assert.Empty(observer.Observe([host]));
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([host.Id], observer.Observe([host]));
        Assert.Empty(observer.Observe([host with { LeaseUntil = Lease.AddSeconds(1) }]));
        time.Advance(TimeSpan.FromSeconds(15));
        observer.Forget(); // the database was away
        Assert.Empty(observer.Observe([host with { LeaseUntil = Lease.AddSeconds(1) }]));
    }

    private static FleetPlan Decide(HostRow[] hosts, UnplacedRow[] sessions) => FleetPlan.Decide(new FleetSnapshot(hosts, sessions, new HashSet<Guid>(), CanStartHosts: false));

    private static HostRow Host(int number, int capacity = 8, double free = 1) => new(new Guid(number, 0, 0, new byte[8]), IsReady: true, capacity, 0, free, Lease, HasExpired: false);

    private static UnplacedRow Wanted(string session, string detail = "") => new(new SessionCopy(session, 0), IsWanted: true, IsDue: true, detail, []);
}
