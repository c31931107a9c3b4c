using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>One look of the leader.</summary>
/// <param name="Hosts">The hosts that were not gone before.</param>
/// <param name="Lost">How many were declared lost.</param>
/// <param name="Removed">Sessions that were removed.</param>
public sealed record ReconcileResult(IReadOnlyList<HostRow> Hosts, int Lost, int Removed)
{
    /// <summary>False when there may be more to do at once.</summary>
    public bool IsComplete => Removed < LeaderRegistry.MaxRows;
}

/// <summary>Finds lost hosts and removes deleted sessions, if this gateway leads. Where sessions run is decided by the engine, or by the hosts themselves.</summary>
public sealed class Reconciler
{
    private static readonly TimeSpan CleanEvery = TimeSpan.FromMinutes(1);

    private readonly LeaderRegistry _registry;
    private readonly TimeProvider _time;
    private readonly LeaseObserver _leases;
    private long _cleaned;

    /// <summary>Makes one that has seen nothing yet.</summary>
    public Reconciler(LeaderRegistry registry, FleetOptions options, TimeProvider time)
    {
        (_registry, _time) = (registry, time);
        _leases = new LeaseObserver(options.LeaseTime, time);
        _cleaned = time.GetTimestamp();
    }

    /// <summary>Looks once. Only the leader does.</summary>
    /// <exception cref="FleetException">The database cannot be used. The leases are observed anew afterwards.</exception>
    public Task<ReconcileResult> LookAsync(CancellationToken cancellationToken) => TryAsync(ChangeAsync, cancellationToken);

    /// <summary>Only observes the leases, while another gateway leads: when that one is lost, this one need not wait a lease time for hosts that were lost with it.</summary>
    /// <exception cref="FleetException">The database cannot be used. The leases are observed anew afterwards.</exception>
    public Task ObserveAsync(CancellationToken cancellationToken) => TryAsync(async cancelled => _leases.Observe(await _registry.HostsAsync(cancelled)), cancellationToken);

    /// <summary>Forgets what was observed: this program cannot read the database.</summary>
    public void Forget() => _leases.Forget();

    private async Task<T> TryAsync<T>(Func<CancellationToken, Task<T>> look, CancellationToken cancellationToken)
    {
        try
        {
            return await look(cancellationToken);
        }
        catch (FleetException)
        {
            Forget();
            throw;
        }
    }

    private async Task<ReconcileResult> ChangeAsync(CancellationToken cancellationToken)
    {
        var hosts = await _registry.HostsAsync(cancellationToken);
        var silent = _leases.Observe(hosts);

        // both must agree: the database, whose clock may have been set, and this program, which may have started just now
        Guid[] lost = [.. hosts.Where(host => host.HasExpired && silent.Contains(host.Id)).Select(host => host.Id)];
        var result = new ReconcileResult(hosts, lost.Length > 0 ? await _registry.DeclareLostAsync(lost, cancellationToken) : 0, await _registry.RemoveAsync(cancellationToken));
        if (_time.GetElapsedTime(_cleaned) >= CleanEvery)
        {
            _cleaned = _time.GetTimestamp();
            await _registry.CleanAsync(cancellationToken);
        }

        return result;
    }
}
