using System.Diagnostics.Metrics;
using MgbaBridge.Client.Diagnostics;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>
/// The metrics of the fleet. The gateway that leads reports hosts and sessions, as it read them last, so that a sum over all gateways counts each once;
/// every gateway reports whether it leads and reaches the database.
/// </summary>
public sealed class FleetMetrics
{
    /// <summary>Hosts that are reported at most.</summary>
    public const int MaxHosts = 500;

    private long _lost;
    private long _engineFailures;
    private volatile Observation? _observed;
    private volatile bool _leads;
    private volatile bool _isReachable;

    /// <summary>Adds the instruments; they live as long as <paramref name="meters"/>.</summary>
    public FleetMetrics(IMeterFactory meters)
    {
        var meter = meters.Create(ClientMetrics.MeterName);
        meter.CreateObservableGauge("mgba.fleet.leader", () => _leads ? 1 : 0, null, "Whether this gateway leads the fleet: 1 or 0.");
        meter.CreateObservableGauge("mgba.fleet.database.up", () => _isReachable ? 1 : 0, null, "Whether the fleet's database answered this gateway last: 1 or 0.");
        meter.CreateObservableGauge("mgba.fleet.session.count", Sessions, "{session}", "Sessions in each state.");
        meter.CreateObservableGauge(
            "mgba.fleet.state.age", () => _observed is { } observed ? [new Measurement<double>(observed.StateAge.TotalSeconds)] : Array.Empty<Measurement<double>>(), "s",
            "Age of the newest state of the running session where it is oldest.");
        EachHost(meter, "mgba.fleet.host.capacity", "{emulator}", "Emulators that the host takes.", static host => host.Capacity);
        EachHost(meter, "mgba.fleet.host.sessions", "{session}", "Sessions that the host has.", static host => host.Sessions);
        EachHost(meter, "mgba.fleet.host.lease", "s", "Time until the lease of the host ends; negative when it has ended.", static host => host.LeaseSeconds);
        meter.CreateObservableCounter("mgba.fleet.host.lost", () => Interlocked.Read(ref _lost), "{host}", "Hosts that this gateway declared lost.");
        meter.CreateObservableCounter("mgba.fleet.engine.failed", () => Interlocked.Read(ref _engineFailures), "{request}", "Requests of this gateway that the engine did not fulfil, also by jobs that ended before their hosts had registered.");
    }

    /// <summary>This gateway leads and has read this.</summary>
    public void Observe(IReadOnlyList<FleetHost> hosts, IReadOnlyList<(string State, long Count)> sessions, TimeSpan stateAge) =>
        _observed = new Observation([.. hosts.Where(host => host.State != "gone").Take(MaxHosts)], sessions.ToDictionary(state => state.State, state => state.Count), stateAge);

    /// <summary>This gateway has looked at the database: it leads, or another one does.</summary>
    public void Reached(bool leads) => (_isReachable, _leads, _observed) = (true, leads, leads ? _observed : null);

    /// <summary>The database cannot be used: nothing is known.</summary>
    public void Away() => (_isReachable, _leads, _observed) = (false, false, null);

    /// <summary>Hosts were declared lost.</summary>
    public void Lost(int hosts) => Interlocked.Add(ref _lost, hosts);

    /// <summary>The engine failed, or jobs of it ended before their hosts had registered.</summary>
    public void EngineFailed() => Interlocked.Increment(ref _engineFailures);

    private IEnumerable<Measurement<long>> Sessions() => _observed is { } observed
        ? SessionRegistry.States.Select(state => new Measurement<long>(observed.Sessions.GetValueOrDefault(state), new KeyValuePair<string, object?>("mgba.state", state)))
        : [];

    private void EachHost(Meter meter, string name, string unit, string description, Func<FleetHost, double> value) => meter.CreateObservableGauge(
        name,
        () => (_observed?.Hosts ?? []).Select(host => new Measurement<double>(
            value(host), new("mgba.host", host.Name), new("mgba.host_id", host.Id.ToString()), new("mgba.state", host.State))),
        unit, description);

    private sealed record Observation(IReadOnlyList<FleetHost> Hosts, IReadOnlyDictionary<string, long> Sessions, TimeSpan StateAge);
}
