using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>Runs the reconcile loop while this gateway leads, and tries to lead while it does not.</summary>
/// <param name="database">The database.</param>
/// <param name="hostDatabase">The same one, as the jobs of the engine connect to it, if they do so in another way.</param>
/// <param name="engine">What starts hosts, or null.</param>
/// <param name="options">The settings.</param>
/// <param name="metrics">Where it counts.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where it reports.</param>
public sealed class FleetLeader(FleetDatabase database, FleetDatabase? hostDatabase, IFleetEngine? engine, FleetOptions options, FleetMetrics metrics, TimeProvider time, ILogger<FleetLeader> logger) : BackgroundService
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ObserveEvery = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan SweepEvery = TimeSpan.FromMinutes(1);

    private readonly LeaderRegistry _registry = new(database);
    private readonly FleetLog _log = new(database);
    private readonly SessionRegistry _sessions = new(database, options);
    private readonly StateRegistry _states = new(database, options);
    private readonly HostDatabaseCheck? _hostDatabase = hostDatabase is null ? null : new(database, hostDatabase, time, logger);

    private bool _leads;
    private bool _isAway;
    private bool _wereRemoved;
    private long _ledSince;
    private long _observed;
    private long _swept;
    private string _storeProblem = "";
    private (string Problem, string WaitingFor)? _reported;
    private Task _engineLook = Task.CompletedTask;
    private Task _sweep = Task.CompletedTask;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the gateway does not wait for the database
        await using var leadership = new Leadership(database);
        await using var wakeUps = new FleetWakeUps(database);
        wakeUps.Start();
        var reconciler = new Reconciler(_registry, options, time);
        var jobs = engine is null ? null : new EngineJobs(engine, _registry, options, metrics, time, logger);
        while (!stoppingToken.IsCancellationRequested)
        {
            var isComplete = true;
            try
            {
                isComplete = await LookAsync(leadership, reconciler, jobs, stoppingToken);
                if (_isAway)
                {
                    _isAway = false;
                    FleetLogMessages.FleetDatabaseBack(logger);
                }
            }
            catch (FleetException exception)
            {
                reconciler.Forget();
                metrics.Away();
                (_leads, _reported) = (false, null);
                if (!_isAway)
                {
                    _isAway = true;
                    FleetLogMessages.FleetDatabaseAway(logger, exception.Message);
                }
            }

            if (isComplete)
            {
                await wakeUps.WaitAsync(LookEvery, stoppingToken);
            }
        }
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        await Task.WhenAll(_engineLook, _sweep).WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Beside the loop: a command of the engine may hang, and lost hosts are to be found meanwhile.</summary>
    private async Task LookAtEngineAsync(EngineJobs jobs, bool wereRemoved, CancellationToken cancellationToken)
    {
        try
        {
            await (_hostDatabase?.LookAsync(cancellationToken) ?? Task.CompletedTask);
            await jobs.LookAsync(wereRemoved, cancellationToken);
        }
        catch (FleetException)
        {
            // the loop looks at the database, too, and reports it
        }
    }

    /// <summary>Beside the loop: the store may be slow, or not answer.</summary>
    private async Task SweepAsync(bool isFirst, CancellationToken cancellationToken)
    {
        try
        {
            if (isFirst || _storeProblem.Length > 0)
            {
                await _states.MakeStoreAsync(cancellationToken);
            }

            await _states.SweepStoreAsync(cancellationToken);
            _storeProblem = "";
        }
        catch (FleetException exception)
        {
            if (_storeProblem != exception.Message)
            {
                _storeProblem = exception.Message;
                FleetLogMessages.FleetStoreAway(logger, exception.Message);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // it is stopped
        }
    }

    private async Task<bool> LookAsync(Leadership leadership, Reconciler reconciler, EngineJobs? jobs, CancellationToken cancellationToken)
    {
        if (!await leadership.HoldAsync(cancellationToken))
        {
            (_leads, _reported) = (false, null);
            await reconciler.ObserveAsync(cancellationToken);
            metrics.Reached(leads: false);
            return true;
        }

        metrics.Reached(leads: true);
        if (!_leads)
        {
            _leads = true;
            _observed = _swept = 0;
            _ledSince = time.GetTimestamp();
            FleetLogMessages.FleetLeads(logger, options.Name);
        }

        var result = await reconciler.LookAsync(cancellationToken);
        if (result.Lost > 0)
        {
            FleetLogMessages.FleetLost(logger, result.Lost);
            metrics.Lost(result.Lost);
        }

        _wereRemoved |= result.Removed > 0;
        if (jobs is not null && _engineLook.IsCompleted)
        {
            await _engineLook; // a defect ends this loop
            var wereRemoved = _wereRemoved;
            _wereRemoved = false;
            _engineLook = Task.Run(() => LookAtEngineAsync(jobs, wereRemoved, cancellationToken), cancellationToken);
        }

        var report = (jobs?.Problem is { Length: > 0 } problem ? problem : _hostDatabase?.Problem ?? "", jobs?.WaitingFor ?? WaitingForAHost(result.Hosts));
        if (report != _reported)
        {
            await _registry.ReportAsync(report.Item1, report.Item2, cancellationToken);
            _reported = report;
        }

        if (_observed == 0 || time.GetElapsedTime(_observed) >= ObserveEvery)
        {
            _observed = time.GetTimestamp();
            if (time.GetElapsedTime(_ledSince) >= SessionRegistry.WithoutProgram)
            {
                await _sessions.ExpireAsync(cancellationToken); // gateways could not say which programs run while the database was away
            }

            metrics.Observe(
                await _log.HostsAsync(null, FleetMetrics.MaxHosts, cancellationToken), await _sessions.CountAsync(null, cancellationToken), (await _sessions.OldestStateAsync(null, cancellationToken)).Age);
        }

        if (_sweep.IsCompleted && (_swept == 0 || time.GetElapsedTime(_swept) >= SweepEvery))
        {
            await _sweep; // a defect ends this loop
            var isFirst = _swept == 0;
            _swept = time.GetTimestamp();
            _sweep = Task.Run(() => SweepAsync(isFirst, cancellationToken), cancellationToken);
        }

        return result.IsComplete;
    }

    /// <summary>What sessions wait for without an engine.</summary>
    private static string WaitingForAHost(IReadOnlyList<HostRow> hosts)
    {
        var ready = hosts.Where(host => host is { IsReady: true, HasExpired: false }).ToArray();
        var capacity = ready.Sum(host => host.Capacity);
        return capacity == 0 ? "It waits for a host: none is ready. Start one with mgba-bridge node."
            : ready.Sum(host => host.Sessions) >= capacity ? $"It waits for a host: all {capacity} places are taken. Start another host with mgba-bridge node, or delete sessions."
            : "It waits for a host that takes it.";
    }
}
