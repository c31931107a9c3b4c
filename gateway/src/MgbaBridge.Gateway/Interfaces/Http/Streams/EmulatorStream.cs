using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Responses without an end of their own.</summary>
internal static class EmulatorStream
{
    /// <summary>Serves one until the caller leaves, the gateway stops, the token is revoked or the emulator is removed.</summary>
    /// <param name="http">The request.</param>
    /// <param name="emulator">Whose stream it is.</param>
    /// <param name="serve">Writes the response.</param>
    /// <param name="writeRemoved">Writes the end of a response that has begun when its emulator is removed; null when it just ends.</param>
    public static async Task ServeAsync(HttpContext http, EmulatorClient emulator, Func<CancellationToken, Task> serve, Func<Task>? writeRemoved = null)
    {
        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return;
        }

        var lifetime = http.RequestServices.GetRequiredService<IHostApplicationLifetime>();
        using var entry = emulator.Streams.Enter();
        var removed = emulator.Streams.Removed;
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, lifetime.ApplicationStopping, http.Revoked(), removed);
        HeadRequests.EndAtHeaders(http, over);
        try
        {
            await serve(over.Token);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // that is how it ends
        }

        if (!removed.IsCancellationRequested || http.RequestAborted.IsCancellationRequested)
        {
            return;
        }

        if (!http.Response.HasStarted)
        {
            await Problems.NoSuchEmulatorAsync(http);
        }
        else if (writeRemoved is not null)
        {
            await writeRemoved();
        }
    }
}
