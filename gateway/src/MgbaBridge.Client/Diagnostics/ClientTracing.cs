using System.Diagnostics;

namespace MgbaBridge.Client.Diagnostics;

/// <summary>Creates a span for each request to an emulator, as a child of the span of the HTTP request. Without a listener no span is
/// created.</summary>
internal static class ClientTracing
{
    /// <summary>The source's name, for listeners.</summary>
    public const string SourceName = "MgbaBridge.Gateway";

    private static readonly ActivitySource Source = new(SourceName);

    /// <summary>Starts a span; null without a listener. The caller's span remains the current one: a request is not a scope.</summary>
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

    /// <summary>Adds an event: <c>sent</c>, or <c>retry</c> with the previous failure.</summary>
    public static void Note(Activity? span, string what, string? outcome = null) =>
        span?.AddEvent(new ActivityEvent(what, tags: outcome is null ? null : new ActivityTagsCollection { ["mgba.outcome"] = outcome }));

    /// <summary>Ends the span. <paramref name="outcome"/> is <c>ok</c>, <c>left</c> or a failure's name.</summary>
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

        // the thread that ends the span may have another caller's span as its current one
        var around = Activity.Current;
        span.Stop();
        Activity.Current = around;
    }
}
