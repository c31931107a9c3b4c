using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Interfaces.Http;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>What every compatible path does: send its command as the one holder that they share, and write the answer or the failure.</summary>
internal static class MgbaHttpRequests
{
    private static readonly RequestOptions AsCompat = new() { Holder = Holder.Compat, OutlastsSilence = true };
    private static readonly TimeSpan RetryTimeout = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);

    /// <summary>Sends <paramref name="command"/> to the emulator that the path means and lets <paramref name="render"/> write the response.</summary>
    public static async Task SendCompatibleAsync<TArguments, TCommand>(
        this HttpContext http, TArguments arguments, TCommand command, Render<TArguments> render, CompatibilityOptions options)
        where TCommand : struct, ICommand<TCommand>
    {
        if (!http.TryGetEmulator(out var emulator))
        {
            await MgbaHttpFailures.WriteAsync(http, StatusCodes.Status404NotFound, "There is no emulator with this id; GET /v2/emulators lists them.");
            return;
        }

        try
        {
            using var reply = await SendAsync(http, emulator!, command);
            await (reply.Failure is { } failure ? MgbaHttpFailures.WriteAsync(http, failure, options) : render(http, arguments, reply));
        }
        catch (OperationCanceledException) when (http.RequestAborted.IsCancellationRequested)
        {
            // the caller left: no response can be sent
        }
        catch (Exception exception) when (HttpRequests.CanAnswer(http, exception))
        {
            HttpRequests.LogFailure(http, exception);
            Idempotency.NoteMayHaveRun(http);
            var problem = Problems.Of(exception, Correlation.Of(http), mayHaveRun: true);
            await MgbaHttpFailures.WriteAsync(http, problem.Status, problem.Detail);
        }
    }

    private static async ValueTask<Reply> SendAsync<TCommand>(HttpContext http, EmulatorClient emulator, TCommand command)
        where TCommand : struct, ICommand<TCommand>
    {
        var reply = await emulator.SendAsync(command, AsCompat, http.RequestAborted);
        return reply.Failure is { Failure: Failure.Silent } ? await OutwaitAsync(http, emulator, command, reply) : reply;
    }

    /// <summary>
    /// While a game pauses for a moment, because of a menu or a busy machine, other requests fail at once; mGBA-http waits three seconds, and its
    /// clients rely on that. A command that was sent remains pending (<see cref="RequestOptions.OutlastsSilence"/>); only one that was not sent is retried here.
    /// </summary>
    private static async ValueTask<Reply> OutwaitAsync<TCommand>(HttpContext http, EmulatorClient emulator, TCommand command, Reply silent)
        where TCommand : struct, ICommand<TCommand>
    {
        var time = http.RequestServices.GetRequiredService<TimeProvider>();
        for (var since = time.GetTimestamp(); silent.Failure is { Failure: Failure.Silent } && time.GetElapsedTime(since) < RetryTimeout;)
        {
            await Task.Delay(Pause, time, http.RequestAborted);
            if (emulator.Health.State != EmulatorState.Silent)
            {
                silent.Dispose();
                silent = await emulator.SendAsync(command, AsCompat, http.RequestAborted);
            }
        }

        return silent;
    }
}
