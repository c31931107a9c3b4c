using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>What every endpoint does: find the emulator, and turn an exception into a problem.</summary>
internal static class HttpRequests
{
    /// <summary>The route value that names an emulator in paths below <c>/i/{id}</c>.</summary>
    public const string IdRoute = "id";

    /// <summary>Below it are the paths of each emulator, behind its id.</summary>
    public const string EachEmulator = "/i";

    /// <summary>Finds the emulator that the path means, and lets <paramref name="then"/> answer. If none is required, <paramref name="then"/> may get null.
    /// Keep <paramref name="then"/> static: it gets all it needs. <paramref name="write"/> writes a failure, as a problem unless given.</summary>
    public static async Task WithEmulatorAsync<TState>(
        this HttpContext http, TState state, Func<HttpContext, EmulatorClient, TState, ValueTask> then, bool isRequired = true, Func<HttpContext, Problem, ValueTask>? write = null)
    {
        write ??= Problems.WriteAsync;
        if (!http.TryGetEmulator(out var emulator) && (isRequired || http.Request.RouteValues.ContainsKey(IdRoute)))
        {
            await write(http, Problems.NoSuchEmulator(http));
            return;
        }

        try
        {
            await then(http, emulator!, state);
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            // the caller left: there is nobody to tell
        }
        catch (IOException exception) when (Problems.IsOfTheBody(exception))
        {
            await Problems.BadBodyAsync(http, exception, write);
        }
        catch (Exception exception) when (CanAnswer(http, exception))
        {
            await FailedAsync(http, exception, write);
        }
    }

    /// <summary>Something there is one of. It comes from the endpoint's metadata, where Program puts it: RequestServices makes a scope
    /// for each request, a quarter of a kilobyte.</summary>
    public static T Single<T>(this HttpContext http)
        where T : class =>
        http.GetEndpoint()?.Metadata.GetMetadata<T>() ?? http.RequestServices.GetRequiredService<T>();

    /// <summary>The emulator that the path means.</summary>
    public static bool TryGetEmulator(this HttpContext http, out EmulatorClient? emulator)
    {
        return http.Single<EmulatorRegistry>().TryGet(http.Request.RouteValues[IdRoute] as string, http.Caller().Owner, out emulator);
    }

    /// <summary>Whether a failure inside the gateway can be answered: nothing was answered yet, and the caller is there. The server itself answers what it cannot read.</summary>
    public static bool CanAnswer(HttpContext http, Exception exception) =>
        !http.Response.HasStarted && !http.RequestAborted.IsCancellationRequested && !Problems.IsOfTheBody(exception);

    /// <summary>Answers a request that failed inside the gateway, which an unhandled exception would not, and logs what has to be reported: an exception that nothing expected.</summary>
    public static ValueTask FailedAsync(HttpContext http, Exception exception, Func<HttpContext, Problem, ValueTask> write)
    {
        if (Problems.IsDefect(exception))
        {
            GatewayLog.EndpointDefect(http.RequestServices.GetRequiredService<ILogger<EmulatorRegistry>>(), http.Request.Method, http.Request.Path, exception);
        }

        return write(http, Problems.Of(http, exception));
    }
}
