using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Reconcile;

/// <summary>Runs the reconcile loop while this gateway leads, and tries to lead while it does not.</summary>
/// <param name="database">The database.</param>
/// <param name="engine">What starts hosts, or null.</param>
/// <param name="options">The settings.</param>
/// <param name="metrics">Where it counts.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where it reports.</param>
public sealed class FleetLeader(FleetDatabase database, IFleetEngine? engine, FleetOptions options, FleetMetrics metrics, TimeProvider time, ILogger<FleetLeader> logger) : BackgroundService
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ObserveEvery = TimeSpan.FromSeconds(5);

    private readonly FleetLog _log = new(database);
    private readonly SessionRegistry _sessions = new(database, options);

    private bool _leads;
    private bool _isAway;
    private long _observed;
    private Task _engineLook = Task.CompletedTask;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the gateway does not wait for the database
        await using var leadership = new Leadership(database);
        await using var wakeUps = new FleetWakeUps(database, FleetWakeUps.Sessions);
        wakeUps.Start();
        var reconciler = new Reconciler(new PlacementRegistry(database, options), options, time) { CanStartHosts = engine is not null };
        var jobs = engine is null ? null : new EngineJobs(engine, new JobRegistry(database, options), options, metrics, time, logger);
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
                _leads = false;
                if (!_isAway)
                {
                    _isAway = true;
                    FleetLogMessages.FleetDatabaseAway(logger, exception.Message);
                }
            }
            catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
            {
                return;
            }

            if (isComplete)
            {
                try
                {
                    await wakeUps.WaitAsync(LookEvery, stoppingToken);
                }
                catch (OperationCanceledException)
                {
                    return;
                }
            }
        }
    }

    public override async Task StopAsync(CancellationToken cancellationToken)
    {
        await base.StopAsync(cancellationToken);
        await _engineLook.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Beside the loop: a command of the engine may hang, and lost hosts are to be found meanwhile.</summary>
    private static async Task LookAtEngineAsync(EngineJobs jobs, int missing, CancellationToken cancellationToken)
    {
        try
        {
            await jobs.LookAsync(missing, cancellationToken);
        }
        catch (FleetException)
        {
            // the loop looks at the database, too, and reports it
        }
    }

    private async Task<bool> LookAsync(Leadership leadership, Reconciler reconciler, EngineJobs? jobs, CancellationToken cancellationToken)
    {
        if (!await leadership.HoldAsync(cancellationToken))
        {
            _leads = false;
            await reconciler.ObserveAsync(cancellationToken);
            metrics.Reached(leads: false);
            return true;
        }

        metrics.Reached(leads: true);
        if (!_leads)
        {
            _leads = true;
            _observed = 0;
            FleetLogMessages.FleetLeads(logger, options.Name);
        }

        var result = await reconciler.LookAsync(cancellationToken);
        if (result.Lost > 0)
        {
            FleetLogMessages.FleetLost(logger, result.Lost);
            metrics.Lost(result.Lost);
        }

        if (jobs is not null && _engineLook.IsCompleted)
        {
            await _engineLook; // a defect ends this loop
            reconciler.EngineProblem = jobs.Problem;
            var missing = result.Missing + Math.Max(0, options.SpareEmulators - result.Free);
            _engineLook = Task.Run(() => LookAtEngineAsync(jobs, missing, cancellationToken), cancellationToken);
        }

        if (_observed == 0 || time.GetElapsedTime(_observed) >= ObserveEvery)
        {
            _observed = time.GetTimestamp();
            metrics.Observe(await _log.HostsAsync(FleetMetrics.MaxHosts, cancellationToken), await _sessions.CountAsync(cancellationToken));
        }

        return result.IsComplete;
    }
}
