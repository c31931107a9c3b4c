using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>Responses without an end of their own.</summary>
internal static class EmulatorStream
{
    /// <summary>One that lasts until the caller leaves, the gateway stops, the token is revoked or the emulator is removed.</summary>
    /// <param name="emulator">Whose stream it is.</param>
    /// <param name="send">Writes the response. Returns why there is none, before anything is written.</param>
    /// <param name="sendRemoved">Writes the end of a response that has begun when its emulator is removed; null when it just ends.</param>
    public static HttpResult Of(EmulatorClient emulator, Func<HttpContext, CancellationToken, Task<Failure?>> send, Func<HttpContext, Task>? sendRemoved = null) =>
        new(http => SendAsync(http, emulator, send, sendRemoved));

    private static async Task<Failure?> SendAsync(HttpContext http, EmulatorClient emulator, Func<HttpContext, CancellationToken, Task<Failure?>> send, Func<HttpContext, Task>? sendRemoved)
    {
        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return null;
        }

        var lifetime = http.RequestServices.GetRequiredService<IHostApplicationLifetime>();
        using var entry = emulator.Streams.Enter();
        var removed = emulator.Streams.Removed;
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, lifetime.ApplicationStopping, http.Revoked(), removed);
        HeadRequests.EndAtHeaders(http, over);
        try
        {
            if (await send(http, over.Token) is { } failure)
            {
                return failure;
            }
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // that is how it ends
        }

        if (removed.IsCancellationRequested && !http.RequestAborted.IsCancellationRequested)
        {
            if (!http.Response.HasStarted)
            {
                await Problems.NoSuchEmulatorAsync(http);
            }
            else if (sendRemoved is not null)
            {
                await sendRemoved(http);
            }
        }

        return null;
    }
}
