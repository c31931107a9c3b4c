using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Fleet.Routing;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Serves paths below <c>/i/{id}</c> for sessions of the fleet, wherever they run. Callers wait for a session that moves if they prefer to.</summary>
internal sealed class FleetPaths(SessionRoutes routes, EmulatorRegistry emulators)
{
    private const string Prefix = "/i/";

    private static readonly TimeSpan TryAgainAfter = TimeSpan.FromMilliseconds(250);

    /// <summary>The middleware.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next) =>
        http.Request.Path.Value is { } path && path.StartsWith(Prefix, StringComparison.Ordinal) && IdIn(path) is { Length: > 0 } id && !emulators.TryGet(id, http.Caller().Owner, out _)
            ? RouteAsync(http, next, id)
            : next(http);

    /// <summary>
    /// Where a request is sent again that failed because the host of its session is lost, frozen or stopping: to the same emulator or the session's next one,
    /// for as long as the caller prefers to wait. Null if it is not: then the caller gets the failure. An effect that may have run is not sent again.
    /// </summary>
    public static ValueTask<EmulatorClient?> SuccessorAsync(HttpContext http, EmulatorClient emulator, CommandFailure failure, bool isRead) =>
        emulator.Lease is not null && (isRead || !failure.MayHaveRun)
        && failure.Kind is CommandFailureKind.ConnectFailed or CommandFailureKind.ConnectTimedOut or CommandFailureKind.ConnectionLost or CommandFailureKind.Silent or CommandFailureKind.LeaseExpired
            ? WaitAsync(http, emulator)
            : default;

    private static async ValueTask<EmulatorClient?> WaitAsync(HttpContext http, EmulatorClient emulator)
    {
        if (Preference.LeftOf(http) is var left && (left <= TimeSpan.Zero || Stopping(http).IsCancellationRequested))
        {
            return null;
        }

        using (var early = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, emulator.Streams.Removed))
        {
            await Task.Delay(left < TryAgainAfter ? left : TryAgainAfter, early.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        await RouteAsync(http, http.RequestServices.GetRequiredService<SessionRoutes>(), emulator.Id, Preference.LeftOf(http));
        return http.Single<EmulatorRegistry>().TryGet(emulator.Id, http.Caller().Owner, out var next) ? next : null;
    }

    private async Task RouteAsync(HttpContext http, RequestDelegate next, string id)
    {
        string? detail;
        try
        {
            detail = await RouteAsync(http, routes, id, Preference.WaitOf(http) ?? TimeSpan.Zero);
        }
        catch (OperationCanceledException)
        {
            return; // the caller left
        }

        if (detail is null)
        {
            await next(http); // what the fleet does not have either gets the usual 404
            return;
        }

        http.Response.Headers.RetryAfter = "1";
        await Problems.WriteAsync(http, null, new Failure(FailureKind.SessionMoving, $"{detail} Repeat the request, or send it with Prefer: wait=30."));
    }

    /// <summary>Makes a session an emulator of this gateway; waits for one that moves. Returns why that is not possible, or null.</summary>
    private static async ValueTask<string?> RouteAsync(HttpContext http, SessionRoutes routes, string id, TimeSpan wait)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, Stopping(http));
        try
        {
            var (state, reason) = await routes.RouteAsync(id, http.Caller().Owner, wait, over.Token);
            return state != RouteState.Moving ? null : $"Session {id} does not run at the moment. {(reason.Length > 0 ? reason : "It starts on another host.")}";
        }
        catch (FleetException exception)
        {
            return exception.Message;
        }
        catch (OperationCanceledException) when (!http.RequestAborted.IsCancellationRequested)
        {
            return "The gateway is stopping.";
        }
    }

    private static CancellationToken Stopping(HttpContext http) => http.RequestServices.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;

    private static string IdIn(string path)
    {
        var end = path.IndexOf('/', Prefix.Length);
        return end < 0 ? path[Prefix.Length..] : path[Prefix.Length..end];
    }
}
