using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>
/// Finds hosts whose leases did not change for a whole lease time by this program's own monotonic clock. A leader that has just begun, or that could
/// not read the database for a while, has seen nothing yet and therefore waits one lease time before it moves anything; and a clock of the database
/// that jumps forward ends no lease.
/// </summary>
/// <param name="leaseTime">The lease time.</param>
/// <param name="time">The clock.</param>
public sealed class LeaseObserver(TimeSpan leaseTime, TimeProvider time)
{
    private readonly Dictionary<Guid, (DateTime LeaseUntil, long Since)> _seen = [];

    /// <summary>Takes note of the leases as they are now. Returns the hosts that are silent.</summary>
    public IReadOnlySet<Guid> Observe(IReadOnlyList<HostRow> hosts)
    {
        var now = time.GetTimestamp();
        foreach (var gone in _seen.Keys.Except(hosts.Select(host => host.Id)).ToArray())
        {
            _seen.Remove(gone);
        }

        foreach (var host in hosts.Where(host => !_seen.TryGetValue(host.Id, out var seen) || seen.LeaseUntil != host.LeaseUntil))
        {
            _seen[host.Id] = (host.LeaseUntil, now);
        }

        return hosts.Where(host => time.GetElapsedTime(_seen[host.Id].Since, now) >= leaseTime).Select(host => host.Id).ToHashSet();
    }

    /// <summary>Forgets everything: the database could not be read.</summary>
    public void Forget() => _seen.Clear();
}
