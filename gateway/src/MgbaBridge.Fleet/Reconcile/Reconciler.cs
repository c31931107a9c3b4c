using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>One look of the leader: what it did.</summary>
/// <param name="Lost">Hosts that were declared lost.</param>
/// <param name="Removed">Sessions that were removed.</param>
/// <param name="Placed">Sessions that were placed.</param>
/// <param name="Missing">Emulators that hosts are missing for.</param>
/// <param name="Free">Places that are free.</param>
/// <param name="IsComplete">False when there is more to do at once.</param>
public readonly record struct ReconcileResult(int Lost, int Removed, int Placed, int Missing, int Free, bool IsComplete);

/// <summary>Compares what there is to be with what there is, and changes the latter if this gateway leads.</summary>
public sealed class Reconciler
{
    private static readonly TimeSpan CleanEvery = TimeSpan.FromMinutes(1);

    private readonly PlacementRegistry _registry;
    private readonly TimeProvider _time;
    private readonly LeaseObserver _leases;
    private long _cleaned;

    /// <summary>Makes one that has seen nothing yet.</summary>
    public Reconciler(PlacementRegistry registry, FleetOptions options, TimeProvider time)
    {
        (_registry, _time) = (registry, time);
        _leases = new LeaseObserver(options.LeaseTime, time);
        _cleaned = time.GetTimestamp();
    }

    /// <summary>Whether an engine starts hosts when there are too few.</summary>
    public bool CanStartHosts { get; init; }

    /// <summary>Why the engine failed last, or empty: sessions that wait say so.</summary>
    public string EngineProblem { get; set; } = "";

    /// <summary>Looks once. Only the leader does.</summary>
    /// <exception cref="FleetException">The database cannot be used. The leases are observed anew afterwards.</exception>
    public async Task<ReconcileResult> LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await ChangeAsync(cancellationToken);
        }
        catch (FleetException)
        {
            Forget();
            throw;
        }
    }

    /// <summary>Only observes the leases, while another gateway leads: when that one is lost, this one need not wait a lease time for hosts that were lost with it.</summary>
    /// <exception cref="FleetException">The database cannot be used. The leases are observed anew afterwards.</exception>
    public async Task ObserveAsync(CancellationToken cancellationToken)
    {
        try
        {
            _leases.Observe(await _registry.HostsAsync(cancellationToken));
        }
        catch (FleetException)
        {
            Forget();
            throw;
        }
    }

    /// <summary>Forgets what was observed: this program cannot read the database.</summary>
    public void Forget() => _leases.Forget();

    private async Task<ReconcileResult> ChangeAsync(CancellationToken cancellationToken)
    {
        var hosts = await _registry.HostsAsync(cancellationToken);
        var unplaced = await _registry.UnplacedAsync(cancellationToken);
        var plan = FleetPlan.Decide(new FleetSnapshot(hosts, unplaced, _leases.Observe(hosts), CanStartHosts, EngineProblem));
        var lost = plan.Lost.Count > 0 ? await _registry.DeclareLostAsync(plan.Lost, cancellationToken) : 0;
        var removed = plan.Removed.Count > 0 ? await _registry.RemoveAsync(plan.Removed, cancellationToken) : 0;
        var placed = 0;
        foreach (var placements in plan.Placed.Chunk(PlacementRegistry.MaxPlaced))
        {
            placed += await _registry.PlaceAsync(placements, cancellationToken);
        }

        if (plan.Waiting.Count > 0)
        {
            await _registry.ExplainAsync(plan.Waiting, plan.WaitingFor, cancellationToken);
        }

        if (_time.GetElapsedTime(_cleaned) >= CleanEvery)
        {
            _cleaned = _time.GetTimestamp();
            await _registry.CleanAsync(cancellationToken);
        }

        return new ReconcileResult(lost, removed, placed, plan.Missing, plan.Free, lost == 0 && (unplaced.Count < PlacementRegistry.MaxRows || placed + removed == 0));
    }
}
