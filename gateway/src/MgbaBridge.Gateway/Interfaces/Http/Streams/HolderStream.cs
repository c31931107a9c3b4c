using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>A response that lasts as long as the caller's program: what its holder has ends with it.</summary>
internal static class HolderStream
{
    private const string MediaType = "text/event-stream"; // of comments alone

    private static readonly TimeSpan QuietAtMost = TimeSpan.FromSeconds(15);

    private static readonly byte[] StillHere = ": still here\n\n"u8.ToArray();

    public static HandlerOperation<NoParameters, HttpResult> Operation { get; } = new(
        new Resource("Playing", CommonJson.Default) { UsesEmulator = false, IsPerEmulator = false, IsShared = false }, "holder.stream", HttpMethods.Post, "/v2/holder/stream", Access.Control)
    {
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult(StreamOf(invocation.Options)),
        HasHolder = true,
        IsHttpOnly = true,
        Summary = "Give back what a holder has when its program ends",
        Description = "A response without an end. When the caller leaves, in whatever way its program ends, the leases of its holder at all emulators end, and the states that it kept as `temporary` are deleted; a minute later its `temporary` sessions of a fleet, unless it has opened a stream again. "
            + "Of several streams of one holder the last one counts. When the gateway ends, the leases last for their limit: open the stream again at its successor, and keep the states again.",
        Contents = [new Content(MediaType, null, "\": still here\\n\\n\"")],
        Statuses = [(FailureKind.BadRequest, "no holder is named.")],
    };

    private static Result<HttpResult> StreamOf(RequestOptions options) => ReferenceEquals(options.Holder, Holder.Http)
        ? Failure.BadRequest($"Name the holder of the program: {HolderHeader.ExpectedFormat}")
        : new HttpResult(http => SendAsync(http, options));

    private static async Task<Failure?> SendAsync(HttpContext http, RequestOptions options)
    {
        using var counted = await StreamLimit.EnterAsync(http);
        if (counted is null)
        {
            return null;
        }

        var streams = http.RequestServices.GetRequiredService<HolderStreams>();
        var stopping = http.RequestServices.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
        var caller = http.Caller();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(http.RequestAborted, stopping, http.Revoked());
        streams.Enter(caller, options.Holder!);
        try
        {
            await SendAsync(http, over.Token);
        }
        catch (OperationCanceledException) when (over.IsCancellationRequested)
        {
            // that is how it ends
        }
        finally
        {
            await streams.LeaveAsync(caller, options, keepsLeases: stopping.IsCancellationRequested);
        }

        return null;
    }

    private static async Task SendAsync(HttpContext http, CancellationToken over)
    {
        http.Response.ContentType = MediaType;
        http.Response.Headers.CacheControl = "no-cache, no-transform";
        using var quiet = new PeriodicTimer(QuietAtMost, http.RequestServices.GetRequiredService<TimeProvider>());
        do
        {
            await http.Response.BodyWriter.WriteAsync(StillHere, over); // finds out that a connection broke
        }
        while (await quiet.WaitForNextTickAsync(over));
    }
}
