using System.Collections.Concurrent;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Transport;
using MgbaBridge.Fleet.Links;
using MgbaBridge.Fleet.Registry;

namespace MgbaBridge.Fleet.Routing;

/// <summary>Whether a session can be reached.</summary>
public enum RouteState
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
/// sent. The database announces what has moved; the gateway looks by itself as often as it has to know that leases were renewed.
/// </summary>
/// <param name="database">The database.</param>
/// <param name="emulators">The emulators of this gateway.</param>
/// <param name="options">The lease time.</param>
/// <param name="links">For hosts on other machines.</param>
/// <param name="time">The clock.</param>
/// <param name="logger">Where it reports.</param>
internal sealed class SessionRoutes(FleetDatabase database, EmulatorRegistry emulators, FleetOptions options, RouteLinks links, TimeProvider time, ILogger<SessionRoutes> logger) : BackgroundService
{
    private static readonly TimeSpan MaxPause = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan LookForCallersEvery = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan PauseAfterLook = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan ForgetAfter = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LookForStateEvery = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan StoredWithin = TimeSpan.FromSeconds(15); // a host takes a state a second after a save was sent

    private readonly RouteRegistry _registry = new(database);
    private readonly StateRegistry _states = new(database, options);
    private readonly ConcurrentDictionary<string, ActiveRoute> _routes = [];
    private readonly SessionWaits _waits = new();
    private readonly FleetWakeUps _wakeUps = new(database);
    private readonly TimeSpan _lookEvery = options.LeaseTime / 6 < MaxPause ? options.LeaseTime / 6 : MaxPause;
    private bool _isAway;

    /// <summary>
    /// Makes a session an emulator of this gateway, unless it is one already. Returns why that is not possible now, or an empty text. For a caller of
    /// <paramref name="owner"/> there are no sessions of others; null is the operator.
    /// </summary>
    /// <exception cref="FleetException">The database cannot be used.</exception>
    public async ValueTask<(RouteState State, string Detail)> RouteAsync(string session, string? owner, CancellationToken cancellationToken)
    {
        if (_routes.TryGetValue(session, out var active) && IsSeen(active.Route))
        {
            return (RouteState.Reached, "");
        }

        var before = time.GetTimestamp();
        if ((await _registry.FindAsync([session], cancellationToken)) is not [var route] || !IsSeen(route))
        {
            return (RouteState.Unknown, "");
        }

        if (!route.IsRunning)
        {
            return (RouteState.Moving, route.Detail);
        }

        if (!HasLinks(route))
        {
            return (RouteState.Moving, route.Port > 0
                ? "Its host accepts encrypted connections only. Set Bridge:Fleet:Certificate and CertificateAuthority of this gateway."
                : "Its host has no certificate. Set Bridge:Fleet:Certificate and CertificateAuthority there, or remove them from this gateway.");
        }

        var lease = new HostLease(time);
        Renew(lease, before, route.LeaseLeft);
        var tunnel = links.Certificates is { } certificates ? new LinkTunnel(certificates, route.Address, route.Port, route.Copy, logger) : null;
        var address = new EmulatorAddress
        {
            Port = tunnel?.Port ?? route.ScriptPort,
            Nonce = route.Nonce.Length > 0 ? route.Nonce : null,
            Secret = route.Secret.Length > 0 ? route.Secret : null,
            TakesOtherVersions = true,
        };
        if (emulators.Add(session, address, lease, route.Owner, (frame, since, cancelled) => UntilStoredAsync(route.Copy, frame, since, cancelled)) is { } client)
        {
            _routes[session] = new ActiveRoute(client, route, lease, tunnel) { UsedAt = before };
        }
        else if (tunnel is not null)
        {
            await tunnel.DisposeAsync();
        }

        return (RouteState.Reached, ""); // otherwise another request was faster

        bool IsSeen(SessionRoute route) => (owner ?? route.Owner) == route.Owner;
    }

    /// <summary>The same, but waits for a session that is moving, at most so long.</summary>
    /// <exception cref="FleetException">The database cannot be used, nor could it before the time was over.</exception>
    public async ValueTask<(RouteState State, string Detail)> RouteAsync(string session, string? owner, TimeSpan wait, CancellationToken cancellationToken)
    {
        var began = time.GetTimestamp();
        for (var isFirst = true; ; isFirst = false)
        {
            var released = _waits.Enter(session); // before the database is asked: what changes afterwards is noticed
            try
            {
                var left = wait - time.GetElapsedTime(began);
                try
                {
                    var result = await RouteAsync(session, owner, cancellationToken);
                    if (result.State != RouteState.Moving || left <= TimeSpan.Zero)
                    {
                        return result;
                    }
                }
                catch (FleetException) when (left > TimeSpan.Zero)
                {
                    // the look that finds the session tells when the database is back
                }

                if (isFirst)
                {
                    _wakeUps.Wake();
                }

                await released.WaitAsync(left, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                cancellationToken.ThrowIfCancellationRequested();
            }
            finally
            {
                _waits.Leave(session, released);
            }
        }
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        _wakeUps.Start();
        try
        {
            while (true)
            {
                await TryLookAsync(stoppingToken);
                await Task.Delay(PauseAfterLook, stoppingToken); // however often something is announced
                await _wakeUps.WaitAsync(_waits.Any ? LookForCallersEvery : _lookEvery, stoppingToken);
            }
        }
        finally
        {
            await _wakeUps.DisposeAsync();
            foreach (var tunnel in _routes.Values.Select(route => route.Tunnel).OfType<LinkTunnel>())
            {
                await tunnel.DisposeAsync();
            }
        }
    }

    private async Task TryLookAsync(CancellationToken cancellationToken)
    {
        try
        {
            await LookAsync(cancellationToken);
            _isAway = false;
        }
        catch (FleetException exception)
        {
            if (!_isAway)
            {
                _isAway = true;
                FleetLogMessages.FleetDatabaseAway(logger, exception.Message);
            }
        }
    }

    private async Task LookAsync(CancellationToken cancellationToken)
    {
        var (active, awaited) = (_routes.ToArray(), _waits.Sessions);
        if (active.Length + awaited.Length == 0)
        {
            return;
        }

        var before = time.GetTimestamp();
        var now = (await _registry.FindAsync([.. active.Select(entry => entry.Key).Union(awaited)], cancellationToken)).ToDictionary(route => route.Copy.Session);
        foreach (var session in awaited.Where(session => !now.TryGetValue(session, out var route) || (route.IsRunning && HasLinks(route))))
        {
            _waits.Release(session); // it runs, or the fleet does not have it any more
        }

        foreach (var (session, route) in active)
        {
            if (!now.TryGetValue(session, out var current) || !route.IsStill(current) || route.IsUnused(time, ForgetAfter))
            {
                Remove(session, route);
            }
            else
            {
                Renew(route.Lease, before, current.LeaseLeft);
            }
        }
    }

    private async Task<string?> UntilStoredAsync(SessionCopy copy, long frame, long since, CancellationToken cancellationToken)
    {
        var began = time.GetTimestamp();
        while (true)
        {
            var problem = "Its host has not stored a state with it yet; the detail of the session has the reason, if it cannot.";
            try
            {
                switch (await _states.IsStoredAsync(copy, frame, time.GetElapsedTime(since), cancellationToken))
                {
                    case true:
                        return null;
                    case null:
                        return "The session has moved to another host, or was deleted.";
                }
            }
            catch (FleetException exception)
            {
                problem = exception.Message;
            }

            if (time.GetElapsedTime(began) >= StoredWithin)
            {
                return problem;
            }

            await Task.Delay(LookForStateEvery, time, cancellationToken);
        }
    }

    /// <summary>Either both have certificates, or the host is on this machine.</summary>
    private bool HasLinks(SessionRoute route) => route.Port > 0 == links.Certificates is not null;

    private void Renew(HostLease lease, long before, TimeSpan left) => lease.Renew(before, left < options.LeaseTime ? left : options.LeaseTime);

    /// <summary>New requests look for the session anew; those under way get a second.</summary>
    private void Remove(string session, ActiveRoute route)
    {
        if (_routes.TryRemove(KeyValuePair.Create(session, route)))
        {
            _ = RemoveAsync(route);
        }
    }

    private async Task RemoveAsync(ActiveRoute route)
    {
        using var timeLimit = new CancellationTokenSource(DrainTimeout);
        await emulators.RemoveAsync(route.Client, timeLimit.Token);
        if (route.Tunnel is { } tunnel)
        {
            await tunnel.DisposeAsync();
        }
    }

    private sealed record ActiveRoute(EmulatorClient Client, SessionRoute Route, HostLease Lease, LinkTunnel? Tunnel)
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
