using System.Reflection;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Links;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Node;

/// <summary>
/// A host of the fleet: registers, renews its lease, runs the sessions that are placed on it, stores their states, and gives them back when it is
/// stopped. While the database is away the games continue; when the lease has ended, effects are refused until it is renewed.
/// </summary>
internal sealed class FleetNode : IHostedLifecycleService, IDisposable
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);

    private readonly FleetDatabase _database;
    private readonly FleetOptions _options;
    private readonly NodeJob _job;
    private readonly NodeLinks _links;
    private readonly TimeProvider _time;
    private readonly ILogger<FleetNode> _logger;
    private readonly HostRegistry _hosts;
    private readonly EffectLease _lease;
    private readonly NodeCopies _copies;
    private readonly ProcessorMeter _processors = new();
    private readonly CancellationTokenSource _stopping = new();
    private volatile FleetWakeUps? _wakeUps;
    private Guid? _host;
    private long _revision = -1;
    private long _renewed;
    private bool _isAway;
    private bool _isChanged;
    private Task _running = Task.CompletedTask;

    /// <summary>Makes a host that begins when the program has started.</summary>
    public FleetNode(
        FleetDatabase database, Supervisor supervisor, StateStore store, Programs programs, FleetOptions options, NodeJob job, NodeLinks links, TimeProvider time, ILogger<FleetNode> logger)
    {
        (_database, _options, _job, _links, _time, _logger) = (database, options, job, links, time, logger);
        EmulatorLauncher.BeginAnywhere(); // an engine may start several hosts on one machine
        _hosts = new HostRegistry(database, options);
        _lease = new EffectLease(time);
        _copies = new NodeCopies(_hosts, new NodeServices(new StateRegistry(database, options), supervisor, store, programs, _lease, links.Server, () => _wakeUps?.Wake(), logger));
    }

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        _running = Task.Run(RunAsync, CancellationToken.None);
        return Task.CompletedTask;
    }

    /// <summary>Before the emulators are released: their states are stored, and they end one by one.</summary>
    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync();
        await _running;
        using var timeLimit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeLimit.CancelAfter(_options.HostDrainTimeout);
        var reason = "it took too long";
        try
        {
            while (true)
            {
                try
                {
                    await DrainAsync(timeLimit.Token);
                    return;
                }
                catch (FleetException exception)
                {
                    reason = exception.Message;
                    await Task.Delay(RetryAfter, _time, timeLimit.Token);
                }
            }
        }
        catch (OperationCanceledException)
        {
            FleetLogMessages.FleetDrainFailed(_logger, reason);
        }
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        _stopping.Dispose();
        _copies.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (!_stopping.IsCancellationRequested)
            {
                var pause = LookEvery;
                try
                {
                    if (_host is null)
                    {
                        await RegisterAsync();
                        if (_wakeUps is { } former)
                        {
                            await former.DisposeAsync();
                        }

                        _wakeUps = new FleetWakeUps(_database, _host.ToString()!);
                        _wakeUps.Start();
                    }

                    await LookAsync();
                    if (_isAway)
                    {
                        _isAway = false;
                        FleetLogMessages.FleetDatabaseBack(_logger);
                    }
                }
                catch (Exception exception) when (exception is FleetException or IOException or UnauthorizedAccessException)
                {
                    pause = RetryAfter;
                    if (!_isAway)
                    {
                        _isAway = true;
                        FleetLogMessages.FleetDatabaseAway(_logger, exception.Message);
                    }
                }

                if (_wakeUps is { } wakeUps)
                {
                    _isChanged |= await wakeUps.WaitAsync(pause, _stopping.Token);
                }
                else
                {
                    await Task.Delay(pause, _time, _stopping.Token);
                }
            }
        }
        catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
        {
            // it is stopped
        }
        finally
        {
            if (_wakeUps is { } wakeUps)
            {
                await wakeUps.DisposeAsync();
            }
        }
    }

    private async Task RegisterAsync()
    {
        var (host, before) = (Guid.NewGuid(), _time.GetTimestamp());
        var version = typeof(FleetNode).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
        var description = new HostDescription(host, _job.Id, Environment.MachineName, version, _links.Address, _links.Port, _options.EmulatorsPerHost, _processors.Measure());
        if (!await _hosts.RegisterAsync(description, CancellationToken.None))
        {
            throw new FleetException(FleetProblem.HostGone, $"Job {_job.Id} is ended, or another process runs it (the engine started it twice). This process waits until that one is gone.");
        }

        (_host, _revision) = (host, -1);
        Renewed(before);
        FleetLogMessages.FleetRegistered(_logger, host, _options.Name, _options.EmulatorsPerHost);
    }

    /// <summary>Looks once. It ends before the sessions are given back: to cancel a statement breaks its connection.</summary>
    private async Task LookAsync()
    {
        var host = _host!.Value;
        if (_time.GetElapsedTime(_renewed) >= _options.LeaseTime / 3)
        {
            var before = _time.GetTimestamp();
            if (await _hosts.RenewAsync(host, _processors.Measure(), CancellationToken.None) is not { } revision)
            {
                await LoseAsync(host);
                return;
            }

            Renewed(before);
            _isChanged |= revision != _revision;
            _revision = revision;
        }

        if (_isChanged || _copies.HasEnded)
        {
            await _copies.AssignAsync(host, CancellationToken.None);
            _isChanged = false;
        }

        await _copies.ReportAsync(host, CancellationToken.None);
        _isChanged |= !await _copies.UploadAsync(host, CancellationToken.None);
    }

    /// <summary>The lease is counted from before the request, and a tenth of it is left for commands that are under way.</summary>
    private void Renewed(long before)
    {
        _renewed = before;
        _lease.Renew(before, _options.LeaseTime * 0.9);
    }

    /// <summary>The sessions are on other hosts: this one ends its copies and begins anew under another id.</summary>
    private async Task LoseAsync(Guid host)
    {
        _lease.End();
        FleetLogMessages.FleetHostLost(_logger, host, _copies.Count);
        await _copies.EndAllAsync();
        _host = null;
    }

    /// <summary>Gives the sessions back. It may be repeated after a failure: what was done stays done.</summary>
    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        if (_host is not { } host)
        {
            return;
        }

        await _hosts.DrainAsync(host, cancellationToken);
        using var drained = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var renewing = RenewAsync(host, drained.Token);
        try
        {
            await _copies.GiveBackAsync(host, cancellationToken);
        }
        finally
        {
            await drained.CancelAsync();
            await renewing;
        }

        await _hosts.LeaveAsync(host, cancellationToken);
        FleetLogMessages.FleetDrained(_logger, host, _copies.Count);
    }

    /// <summary>Renews the lease until it is cancelled: to store states may take longer than the lease.</summary>
    private async Task RenewAsync(Guid host, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                var before = _time.GetTimestamp();
                if (await _hosts.RenewAsync(host, _processors.Measure(), cancellationToken) is not null)
                {
                    Renewed(before);
                }
            }
            catch (FleetException)
            {
                // what gives the sessions back finds it out, too
            }
            catch (OperationCanceledException)
            {
                return;
            }

            await Task.Delay(_options.LeaseTime / 3, _time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}

/// <summary>The job that an engine runs this process as.</summary>
/// <param name="Id">Its id, or null for none.</param>
public sealed record NodeJob(Guid? Id);
