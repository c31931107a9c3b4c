using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Diagnostics;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>What every endpoint does: find the emulator, send the command, turn a failure into a problem, and give the reply back.</summary>
internal static class RequestSender
{
    /// <summary>The route value that names an emulator in paths below <c>/i/{id}</c>.</summary>
    public const string IdRoute = "id";

    /// <summary>Below it are the paths of each emulator, behind its id.</summary>
    public const string EachEmulator = "/i";

    /// <summary>Sends <paramref name="command"/> to the emulator that the path means and lets <paramref name="answer"/> write the response.
    /// Keep <paramref name="answer"/> static: it gets all it needs.</summary>
    public static async Task SendAsync<TCommand>(
        this HttpContext http, TCommand command, Func<HttpContext, TCommand, Reply, ValueTask> answer, RequestOptions options = default)
        where TCommand : struct, ICommand<TCommand>
    {
        if (!http.TryGetEmulator(out var emulator))
        {
            await Problems.NoSuchEmulatorAsync(http);
            return;
        }

        try
        {
            options = Preference.WaitOf(http) is { } wait ? options with { Timeout = wait, IsTimeoutChosen = true } : options;
            using var reply = await emulator!.SendAsync(command, options, http.RequestAborted);
            Headers.SetFrame(http.Response, reply);
            await (reply.Failure is { } failure ? SendAgainAsync(http, emulator, command, answer, options, failure) : answer(http, command, reply));
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            // the caller left: there is nobody to tell
        }
        catch (Exception exception) when (CanAnswer(http, exception))
        {
            await FailedAsync(http, exception);
        }
    }

    /// <summary>Sends a command that failed again as long as <see cref="FleetPaths.SuccessorAsync"/> says where, and answers the failure when it does not.</summary>
    private static async ValueTask SendAgainAsync<TCommand>(
        HttpContext http, EmulatorClient emulator, TCommand command, Func<HttpContext, TCommand, Reply, ValueTask> answer, RequestOptions options, FailureReport failure)
        where TCommand : struct, ICommand<TCommand>
    {
        while (await FleetPaths.SuccessorAsync(http, emulator, failure, command.Descriptor.Kind == CommandKind.Read) is { } successor)
        {
            emulator = successor;
            using var reply = await emulator.SendAsync(command, options, http.RequestAborted);
            Headers.SetFrame(http.Response, reply);
            if (reply.Failure is null)
            {
                await answer(http, command, reply);
                return;
            }

            failure = reply.Failure;
        }

        await Problems.WriteAsync(http, emulator.Id, failure);
    }

    /// <summary>Finds the emulator for work that takes more than one command. If none is required, <paramref name="then"/> may get null.</summary>
    public static async Task WithEmulatorAsync(this HttpContext http, Func<HttpContext, EmulatorClient, Task> then, bool isRequired = true)
    {
        if (!http.TryGetEmulator(out var emulator) && (isRequired || http.Request.RouteValues.ContainsKey(IdRoute)))
        {
            await Problems.NoSuchEmulatorAsync(http);
            return;
        }

        try
        {
            await then(http, emulator!);
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            // the caller left: there is nobody to tell
        }
        catch (Exception exception) when (CanAnswer(http, exception))
        {
            await FailedAsync(http, exception);
        }
    }

    /// <summary>Something there is one of. It comes from the endpoint's metadata, where Program puts it: asking RequestServices makes a scope
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

    /// <summary>Answers a request that failed inside the gateway with a problem, which an unhandled exception would not.</summary>
    public static ValueTask FailedAsync(HttpContext http, Exception exception)
    {
        LogFailure(http, exception);
        return Problems.WriteAsync(http, exception);
    }

    /// <summary>Logs what has to be reported: an exception that nothing expected.</summary>
    public static void LogFailure(HttpContext http, Exception exception)
    {
        if (Problems.IsDefect(exception))
        {
            GatewayLog.EndpointDefect(http.RequestServices.GetRequiredService<ILogger<EmulatorRegistry>>(), http.Request.Method, http.Request.Path, exception);
        }
    }
}
