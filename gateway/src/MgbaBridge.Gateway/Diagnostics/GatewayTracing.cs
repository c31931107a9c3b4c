using System.Diagnostics;

namespace MgbaBridge.Gateway.Diagnostics;

/// <summary>A span for each request to an emulator, below that of the HTTP request it serves. Without a listener there is none, and it costs
/// a glance.</summary>
public static class GatewayTracing
{
    /// <summary>The source's name, for those who listen.</summary>
    public const string SourceName = "MgbaBridge.Gateway";

    private static readonly ActivitySource Source = new(SourceName);

    /// <summary>Begins a span, or null when nobody listens. The caller's own stays the current one: a request is not a scope.</summary>
    public static Activity? Begin(string emulator, string command)
    {
        if (!Source.HasListeners())
        {
            return null;
        }

        var around = Activity.Current;
        var span = Source.StartActivity(command, ActivityKind.Client);
        Activity.Current = around;
        span?.SetTag("mgba.emulator", emulator).SetTag("mgba.command", command);
        return span;
    }

    /// <summary>Something happened to it: <c>sent</c>, or <c>retry</c> with what failed before.</summary>
    public static void Note(Activity? span, string what, string? outcome = null) =>
        span?.AddEvent(new ActivityEvent(what, tags: outcome is null ? null : new ActivityTagsCollection { ["mgba.outcome"] = outcome }));

    /// <summary>Ends it. <paramref name="outcome"/> is <c>ok</c>, <c>left</c> or a failure's name.</summary>
    public static void End(Activity? span, string outcome, long frame, string? detail)
    {
        if (span is null)
        {
            return;
        }

        span.SetTag("mgba.outcome", outcome);
        if (frame > 0)
        {
            span.SetTag("mgba.frame", frame);
        }

        if (detail is not null)
        {
            span.SetStatus(ActivityStatusCode.Error, detail).SetTag("error.type", outcome);
        }

        // whoever ends it is on another caller's way
        var around = Activity.Current;
        span.Stop();
        Activity.Current = around;
    }
}
