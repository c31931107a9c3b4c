using MgbaBridge.Client.Emulator;
using MgbaBridge.Fleet.Registry;
using MgbaBridge.Fleet.Routing;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Serves paths below <c>/i/{id}</c> for sessions of the fleet, wherever they run. Callers wait for a session that moves if they prefer to.</summary>
internal sealed class FleetPaths(SessionRoutes routes, EmulatorRegistry emulators)
{
    private const string Prefix = "/i/";

    /// <summary>The middleware.</summary>
    public Task InvokeAsync(HttpContext http, RequestDelegate next) =>
        http.Request.Path.Value is { } path && path.StartsWith(Prefix, StringComparison.Ordinal) && IdIn(path) is { Length: > 0 } id && !emulators.TryGet(id, http.Caller().Owner, out _)
            ? RouteAsync(http, next, id)
            : next(http);

    private async Task RouteAsync(HttpContext http, RequestDelegate next, string id)
    {
        string detail;
        try
        {
            var (state, reason) = await routes.RouteAsync(id, http.Caller().Owner, Preference.WaitOf(http) ?? TimeSpan.Zero, http.RequestAborted);
            if (state != RouteState.Moving)
            {
                await next(http); // what the fleet does not have either gets the usual 404
                return;
            }

            detail = $"Session {id} does not run at the moment. {(reason.Length > 0 ? reason : "It starts on another host.")}";
        }
        catch (FleetException exception)
        {
            detail = exception.Message;
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            return; // the caller left
        }

        http.Response.Headers.RetryAfter = "1";
        await Problems.WriteAsync(http, null, new Refusal(RefusalKind.SessionMoving, $"{detail} Repeat the request, or send it with Prefer: wait=30."));
    }

    private static string IdIn(string path)
    {
        var end = path.IndexOf('/', Prefix.Length);
        return end < 0 ? path[Prefix.Length..] : path[Prefix.Length..end];
    }
}
