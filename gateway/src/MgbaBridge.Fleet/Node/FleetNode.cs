using System.Reflection;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Fleet.Engines;
using MgbaBridge.Fleet.Links;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Node;

/// <summary>
/// A host of the fleet: registers, renews its lease, runs sessions, stores their states, and gives them back when it is stopped. As the job of an engine it
/// runs the session of that job, and ends with it; started by hand it takes sessions that wait. While the database is away the games continue; when the
/// lease has ended, effects are refused until it is renewed.
/// </summary>
internal sealed class FleetNode : IHostedLifecycleService, IDisposable
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan TakeEvery = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PauseAfterLook = TimeSpan.FromMilliseconds(20);

    // of a job that cannot register; then the engine starts another one, perhaps on a machine that reaches the database
    private static readonly TimeSpan StartTimeout = TimeSpan.FromMinutes(5);

    private readonly FleetDatabase _database;
    private readonly FleetOptions _options;
    private readonly NodeJob _job;
    private readonly NodeLinks _links;
    private readonly IHostApplicationLifetime _lifetime;
    private readonly TimeProvider _time;
    private readonly ILogger<FleetNode> _logger;
    private readonly HostRegistry _hosts;
    private readonly HostLease _lease;
    private readonly NodeCopies _copies;
    private readonly CancellationTokenSource _stopping = new();
    private readonly long _began;
    private volatile FleetWakeUps? _wakeUps;
    private Guid _next = Guid.NewGuid();
    private Guid? _host;
    private long _renewed;
    private long? _took;
    private bool _isAway;
    private bool _isChanged;
    private bool _isOver;
    private bool _isDraining;
    private Task _running = Task.CompletedTask;

    /// <summary>When the lease is renewed by itself, because no state was stored: a little after half of it, so that states that are stored as often come first.</summary>
    private TimeSpan RenewAfter => _options.LeaseTime * 0.55;

    /// <summary>Makes a host that begins when the program has started.</summary>
    public FleetNode(
        FleetDatabase database, Supervisor supervisor, StateStore store, Programs programs, FleetOptions options, NodeJob job, NodeLinks links, IHostApplicationLifetime lifetime, TimeProvider time,
        ILogger<FleetNode> logger)
    {
        (_database, _options, _job, _links, _lifetime, _time, _logger, _began) = (database, options, job, links, lifetime, time, logger, time.GetTimestamp());
        EmulatorLauncher.BeginAnywhere(); // an engine may start several hosts on one machine
        _hosts = new HostRegistry(database, options);
        _lease = new HostLease(time);
        _copies = new NodeCopies(_hosts, job.Machine, new NodeServices(new StateRegistry(database, options), supervisor, store, programs, _lease, links.Server, () => _wakeUps?.Wake(), time, Renewed, logger));
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
        using var drained = CancellationTokenSource.CreateLinkedTokenSource(timeLimit.Token);
        var renewing = _host is { } host ? RenewAsync(host, drained.Token) : Task.CompletedTask;
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
                catch (Exception exception) when (exception is not OperationCanceledException)
                {
                    if (exception is not FleetException)
                    {
                        FleetLogMessages.FleetHostDefect(_logger, exception);
                    }

                    reason = exception.Message;
                    await Task.Delay(RetryAfter, _time, timeLimit.Token);
                }
            }
        }
        catch (OperationCanceledException)
        {
            FleetLogMessages.FleetDrainFailed(_logger, reason);
        }
        finally
        {
            await drained.CancelAsync();
            await renewing;
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
                    }

                    if (_host is { } host)
                    {
                        await LookAsync(host);
                    }

                    if (_isAway)
                    {
                        (_isAway, _isChanged) = (false, true); // a crash of the database may have lost what was reported
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

                    if (_job.Copy is { } copy && _host is null && _time.GetElapsedTime(_began) >= StartTimeout)
                    {
                        _isOver = true;
                        FleetLogMessages.FleetJobGivenUp(_logger, copy.ToString(), StartTimeout.TotalSeconds);
                    }
                }

                if (_isOver)
                {
                    _lifetime.StopApplication();
                    return;
                }

                if (_wakeUps is { } wakeUps)
                {
                    await Task.Delay(PauseAfterLook, _time, _stopping.Token); // however often something is announced
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
        catch (Exception exception)
        {
            FleetLogMessages.FleetHostDefect(_logger, exception);
            _lifetime.StopApplication();
        }
        finally
        {
            if (_wakeUps is { } wakeUps)
            {
                await wakeUps.DisposeAsync();
            }
        }
    }

    /// <summary>Registers, also again when the answer was lost. A job that has nothing to run is over.</summary>
    private async Task RegisterAsync()
    {
        var before = _time.GetTimestamp();
        var version = typeof(FleetNode).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
        var capacity = _job.Copy is null ? _options.EmulatorsPerHost : 1;
        if (!await _hosts.RegisterAsync(new HostDescription(_next, _job.Copy, _job.Name, _job.Machine, version, _links.Address, _links.Port, capacity), CancellationToken.None))
        {
            _next = Guid.NewGuid(); // this one was declared lost before it knew that it had registered
            if (_job.Copy is { } copy)
            {
                _isOver = true;
                FleetLogMessages.FleetJobRefused(_logger, copy.ToString());
            }

            return;
        }

        if (_wakeUps is { } former)
        {
            await former.DisposeAsync();
        }

        // a connection for each job would be too much for the database; the engine's signal tells them that their session was deleted
        _wakeUps = new FleetWakeUps(_database);
        if (_job.Copy is null)
        {
            _wakeUps.Start();
        }

        (_host, _isChanged, _took) = (_next, true, null);
        Renewed(before);
        FleetLogMessages.FleetRegistered(_logger, _next, _options.Name, capacity);
    }

    /// <summary>Looks once. It ends before the sessions are given back: to cancel a statement breaks its connection.</summary>
    private async Task LookAsync(Guid host)
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _renewed)) >= RenewAfter)
        {
            var before = _time.GetTimestamp();
            if (await _hosts.RenewAsync(host, CancellationToken.None) is not { } isAsItWas)
            {
                await LoseAsync(host);
                return;
            }

            Renewed(before);
            _isChanged |= !isAsItWas;
        }

        if (_job.Copy is null && _copies.Count < _options.EmulatorsPerHost && (_isChanged || _took is not { } took || _time.GetElapsedTime(took) >= TakeEvery))
        {
            _took = _time.GetTimestamp();
            if (await _hosts.TakeAsync(host, CancellationToken.None) > 0)
            {
                (_isChanged, _took) = (true, null); // what others leave is taken next
            }
        }

        if (_isChanged || _copies.HasEnded)
        {
            await _copies.AssignAsync(host, CancellationToken.None);
            _isChanged = false;
        }

        await _copies.ReportAsync(host, CancellationToken.None);
        _isChanged |= !_copies.Upload(host);
        _isOver = _job.Copy is not null && !_isChanged && _copies.IsEmpty;
    }

    /// <summary>The lease is counted from before the request, and a tenth of it is left for commands that are under way. States that are stored renew it, too.</summary>
    private void Renewed(long before)
    {
        lock (_lease)
        {
            if (before > _renewed)
            {
                Volatile.Write(ref _renewed, before);
                _lease.Renew(before, _options.LeaseTime * 0.9);
            }
        }
    }

    /// <summary>The sessions are on other hosts: this one ends its copies and begins anew under another id, unless it is a job.</summary>
    private async Task LoseAsync(Guid host)
    {
        _lease.End();
        FleetLogMessages.FleetHostLost(_logger, host, _copies.Count);
        await _copies.EndAllAsync();
        (_host, _next, _isOver) = (null, Guid.NewGuid(), _job.Copy is not null);
    }

    /// <summary>Gives the sessions back. It may be repeated after a failure: what was done stays done.</summary>
    private async Task DrainAsync(CancellationToken cancellationToken)
    {
        if (_host is not { } host)
        {
            return;
        }

        await _hosts.DrainAsync(host, cancellationToken);
        if (!_isDraining)
        {
            await _copies.EndDeletedAsync(host, cancellationToken);
            _isDraining = true;
        }

        await _copies.GiveBackAsync(host, cancellationToken);
        await _hosts.LeaveAsync(host, cancellationToken);
        FleetLogMessages.FleetDrained(_logger, host, _copies.Count);
    }

    /// <summary>Renews the lease until it is cancelled: to store states, or to try again, may take longer than the lease. A statement that runs is not cancelled.</summary>
    private async Task RenewAsync(Guid host, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            try
            {
                var before = _time.GetTimestamp();
                if (await _hosts.RenewAsync(host, CancellationToken.None) is not null)
                {
                    Renewed(before);
                }
            }
            catch (FleetException)
            {
                // what gives the sessions back finds it out, too
            }

            await Task.Delay(RenewAfter, _time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
