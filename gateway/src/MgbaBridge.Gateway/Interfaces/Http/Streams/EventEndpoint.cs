using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Events;

namespace MgbaBridge.Gateway.Interfaces.Http.Streams;

/// <summary>What happens in the emulator, as server-sent events.</summary>
internal static class EventEndpoint
{
    private const string LastEventId = "Last-Event-ID";

    private static readonly Resource Resource = new("Events", EventJson.Default);
    private static readonly TimeSpan QuietAtMost = TimeSpan.FromSeconds(15);

    public static HandlerOperation<IReadOnlyList<EventTopic>, HttpResult> Subscribe { get; } = new(Resource, "events.stream", HttpMethods.Get, "/v2/events", Access.Read)
    {
        Request = Parameters.Of(EventTopicsKind.Topics),
        Run = static (invocation, topics) => ValueTask.FromResult<Result<HttpResult>>(StreamOf(invocation.Emulator, topics)),
        IsHttpOnly = true,
        Summary = "Receive events",
        Description = "Server-sent events: `id`, `event` and `data`, which is JSON with `frame`, `epoch`, `topic` and the values of the topic. "
            + $"Events are {string.Join(", ", EventTopics.All.SelectMany(row => row.Events).Select(row => $"`{row.Name}`"))}, "
            + $"`{StreamEvents.Ended}` (a watch ended, with the `reason`), `{StreamEvents.Closed}` (the stream ends, because the emulator was removed) and `{StreamEvents.Lost}` (how many events were dropped because they were "
            + "not taken in time, oldest first). The events are those of one emulator, also of the topic `emulator`: of the first without `/i/{id}`. "
            + "All callers share one watch for each topic. " + EventTopic.ExpectedFormat,
        Inputs =
        [
            new Input(LastEventId, $"The `id` of the last event received. The stream resumes after it if the event is among the last {EventFeed.HistoryLength}.", "5f0c2a91-17")
            {
                IsHeader = true,
            },
        ],
        Contents = [new Content("text/event-stream", typeof(EventAnswer), """{"frame":4711,"epoch":"9f3a01c2","topic":"frame/60"}""")], // the data of each event
    };

    private static HttpResult StreamOf(EmulatorClient emulator, IReadOnlyList<EventTopic> topics)
    {
        var feed = emulator.Events;
        return EmulatorStream.Of(emulator, SendAsync, http => WriteRemovedAsync(http, feed.Id));

        async Task<Failure?> SendAsync(HttpContext http, CancellationToken over)
        {
            var (after, isForeign) = EventIds.After(http.Request.Headers[LastEventId], feed);
            using var subscription = feed.Join();
            var backlog = await feed.AddAsync(subscription, topics, after, over);
            if (backlog.Failure is { } failure)
            {
                return Failure.Of(failure);
            }

            using var stream = new EventStream(http.Response.BodyWriter, feed.Id, http.Caller());
            Begin(http, stream, backlog, isForeign);
            await http.Response.BodyWriter.FlushAsync(over);
            await SendEventsAsync(http, stream, subscription, over);
            return null;
        }
    }

    private static void Begin(HttpContext http, EventStream stream, in EventBacklog backlog, bool isForeign)
    {
        http.Response.ContentType = "text/event-stream";
        http.Response.Headers.CacheControl = "no-cache, no-transform";
        stream.Comment(isForeign ? "the id is from another run of the gateway; events since then are not known" : "subscribed");
        if (backlog.Forgotten > 0)
        {
            stream.WriteLoss(backlog.Forgotten);
        }

        foreach (var missed in backlog.Missed)
        {
            stream.Write(missed);
        }
    }

    private static async Task WriteRemovedAsync(HttpContext http, string feed)
    {
        using var stream = new EventStream(http.Response.BodyWriter, feed, http.Caller());
        stream.WriteClosed(EmulatorStreams.RemovedReason);
        await http.Response.BodyWriter.FlushAsync(http.RequestAborted);
    }

    private static async Task SendEventsAsync(HttpContext http, EventStream stream, EventSubscription subscription, CancellationToken over)
    {
        while (true)
        {
            var (alive, quiet) = await WaitAsync(subscription, over);
            if (!alive)
            {
                return;
            }

            if (quiet)
            {
                stream.Comment("still here");
            }

            WriteWaiting(stream, subscription);

            // a caller that does not read holds up only itself: what it cannot take is dropped meanwhile
            await http.Response.BodyWriter.FlushAsync(over);
        }
    }

    private static async ValueTask<(bool Alive, bool Quiet)> WaitAsync(EventSubscription subscription, CancellationToken over)
    {
        using var quiet = CancellationTokenSource.CreateLinkedTokenSource(over);
        quiet.CancelAfter(QuietAtMost);
        try
        {
            return (await subscription.Waiting.WaitToReadAsync(quiet.Token), false);
        }
        catch (OperationCanceledException) when (!over.IsCancellationRequested)
        {
            return (true, true);
        }
    }

    private static void WriteWaiting(EventStream stream, EventSubscription subscription)
    {
        if (subscription.TakeLost() is > 0 and var lost)
        {
            stream.WriteLoss(lost);
        }

        while (subscription.Waiting.TryRead(out var received))
        {
            stream.Write(received);
        }
    }
}
