using System.Collections.Concurrent;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Fleet.Registry;
using MgbaBridge.Gateway.Transport;

namespace MgbaBridge.Gateway.Fleet.Routing;

/// <summary>Whether a session can be reached.</summary>
public enum Reach
{
    /// <summary>Its emulator is connected, or connects.</summary>
    Reached,

    /// <summary>The fleet has it, and it does not run at the moment.</summary>
    Moving,

    /// <summary>The fleet does not have it.</summary>
    Unknown,
}

/// <summary>
/// Makes sessions of the fleet emulators of this gateway, when they are first used: the connections to their scripts, and until when effects may be
/// sent. What has moved is found within a second; so is what nobody uses, which is given up.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="emulators">The emulators of this gateway.</param>
/// <param name="options">The lease time.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where it reports.</param>
public sealed class SessionRoutes(FleetDatabase database, Emulators emulators, FleetOptions options, TimeProvider time, ILogger<SessionRoutes> logger) : BackgroundService
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan ForgetAfter = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(1);

    private readonly RouteRegistry _registry = new(database);
    private readonly ConcurrentDictionary<string, ActiveRoute> _routes = [];
    private readonly ConcurrentDictionary<Guid, EffectLease> _leases = [];
    private bool _isAway;

    /// <summary>Makes a session an emulator of this gateway, unless it is one already. Returns why that is not possible now, or an empty text.</summary>
    /// <exception cref="FleetException">The database cannot be used.</exception>
    public async ValueTask<(Reach Reach, string Detail)> ReachAsync(string session, CancellationToken cancellationToken)
    {
        if (_routes.ContainsKey(session))
        {
            return (Reach.Reached, "");
        }

        var before = time.GetTimestamp();
        if ((await _registry.FindAsync([session], cancellationToken)) is not [var route])
        {
            return (Reach.Unknown, "");
        }

        if (!route.IsRunning)
        {
            return (Reach.Moving, route.Detail);
        }

        var lease = _leases.GetOrAdd(route.Host, static (_, time) => new EffectLease(time), time);
        Renew(lease, before, route.LeaseLeft);
        var address = new EmulatorAddress { Host = route.Address, Port = route.ScriptPort, Nonce = route.Nonce.Length > 0 ? route.Nonce : null, Secret = route.Secret.Length > 0 ? route.Secret : null };
        if (emulators.Add(session, address, lease) is { } client)
        {
            _routes[session] = new ActiveRoute(client, route, lease) { UsedAt = before };
        }

        return (Reach.Reached, ""); // otherwise another request was faster
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        await using var wakeUps = new FleetWakeUps(database, FleetWakeUps.Sessions);
        wakeUps.Start();
        while (!stoppingToken.IsCancellationRequested)
        {
            try
            {
                await LookAsync(stoppingToken);
                _isAway = false;
            }
            catch (FleetException exception)
            {
                if (!_isAway)
                {
                    _isAway = true;
                    Log.FleetDatabaseAway(logger, exception.Message);
                }
            }
            catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
            {
                return;
            }

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

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        var active = _routes.ToArray();
        if (active.Length == 0)
        {
            return;
        }

        var before = time.GetTimestamp();
        var now = (await _registry.FindAsync([.. active.Select(entry => entry.Key)], cancellationToken)).ToDictionary(route => route.Copy.Session);
        foreach (var route in now.Values.Where(route => route.IsRunning))
        {
            if (_leases.TryGetValue(route.Host, out var lease))
            {
                Renew(lease, before, route.LeaseLeft);
            }
        }

        foreach (var (session, route) in active)
        {
            if (!now.TryGetValue(session, out var current) || !route.IsStill(current))
            {
                Remove(session, route);
            }
            else if (route.IsUnused(time, ForgetAfter))
            {
                Remove(session, route);
            }
        }
    }

    private void Renew(EffectLease lease, long before, TimeSpan left) => lease.Renew(before, left < options.LeaseTime ? left : options.LeaseTime);

    /// <summary>New requests look for the session anew; those under way get a second.</summary>
    private void Remove(string session, ActiveRoute route)
    {
        if (_routes.TryRemove(KeyValuePair.Create(session, route)))
        {
            _ = RemoveAsync(route.Client);
        }
    }

    private async Task RemoveAsync(EmulatorClient client)
    {
        using var patience = new CancellationTokenSource(DrainTimeout);
        await emulators.RemoveAsync(client, patience.Token);
    }

    private sealed record ActiveRoute(EmulatorClient Client, SessionRoute Route, EffectLease Lease)
    {
        private long _requests;

        public long UsedAt { get; set; }

        public bool IsStill(SessionRoute now) => now.IsRunning && now.Copy == Route.Copy && now.Host == Route.Host && now.ScriptPort == Route.ScriptPort && now.Nonce == Route.Nonce;

        public bool IsUnused(TimeProvider time, TimeSpan length)
        {
            if (Client.Requests != _requests)
            {
                (_requests, UsedAt) = (Client.Requests, time.GetTimestamp());
            }

            return time.GetElapsedTime(UsedAt) > length;
        }
    }
}
