using System.Diagnostics;
using System.Diagnostics.Metrics;
using MgbaBridge.Client.Commands;

namespace MgbaBridge.Client.Diagnostics;

/// <summary>The metrics of requests, connections and buffers, named after the conventions of OpenTelemetry. Without a listener they cost almost nothing.</summary>
internal static class ClientMetrics
{
    /// <summary>The meter's name, for listeners.</summary>
    public const string MeterName = "MgbaBridge.Gateway";

    /// <summary>The bounds of the histogram of requests, in seconds.</summary>
    public static readonly IReadOnlyList<double> DurationBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.0167, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

    private static readonly Meter Meter = CreateMeter();

    private static readonly Histogram<double> ExchangeDuration = Meter.CreateHistogram<double>(
        "mgba.client.operation.duration", "s", "The time from a request to its reply or failure.",
        advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = DurationBounds });

    private static readonly UpDownCounter<long> OpenConnections = Meter.CreateUpDownCounter<long>(
        "mgba.client.connection.count", "{connection}", "Open connections to the script.");

    private static readonly Counter<long> OpenedConnections = Meter.CreateCounter<long>(
        "mgba.client.connection.opened", "{connection}", "Connections opened since start.");

    private static readonly Counter<long> Reconnects = Meter.CreateCounter<long>(
        "mgba.client.connection.reconnects", "{connection}", "Connections opened to replace one that closed.");

    private static readonly Counter<long> FailedConnects = Meter.CreateCounter<long>(
        "mgba.client.connect.failed", "{attempt}", "Attempts to connect that failed.");

    private static readonly Counter<long> Retries = Meter.CreateCounter<long>(
        "mgba.client.operation.retries", "{attempt}", "Attempts after the first.");

    private static readonly Histogram<double> PressLag = Meter.CreateHistogram<double>(
        "mgba.client.press.lag.frames", "{frame}", "How many frames presses had to wait for others.",
        advice: new InstrumentAdvice<double> { HistogramBucketBoundaries = [0, 4, 8, 16, 24, 30, 60, 300, 1_800] });

    private static readonly Counter<long> JoinedPresses = Meter.CreateCounter<long>(
        "mgba.client.press.joined", "{press}", "Presses that joined one that was waiting.");

    private static readonly Counter<long> MissedPresses = Meter.CreateCounter<long>(
        "mgba.client.press.missed", "{press}", "Presses of keys that were down already, so that the game saw none.");

    /// <summary>A press was accepted.</summary>
    public static void Pressed(string emulator, in KeyPress press)
    {
        KeyValuePair<string, object?> tag = new("mgba.emulator", emulator);
        PressLag.Record(press.Lag, tag);
        if (press.Joined)
        {
            JoinedPresses.Add(1, tag);
        }

        if (press.Missed > 0)
        {
            MissedPresses.Add(press.Missed, tag);
        }
    }

    /// <summary>A request has completed. <paramref name="outcome"/> is <c>ok</c> or a failure's name.</summary>
    public static void OperationEnded(string emulator, string command, string outcome, TimeSpan duration)
    {
        if (ExchangeDuration.Enabled)
        {
            ExchangeDuration.Record(duration.TotalSeconds, new TagList
            {
                { "mgba.emulator", emulator }, { "mgba.command", command }, { "mgba.outcome", outcome },
            });
        }
    }

    /// <summary>Another attempt is made.</summary>
    public static void OperationRetried(string emulator, string command) =>
        Retries.Add(1, new("mgba.emulator", emulator), new("mgba.command", command));

    /// <summary>A connection was opened, perhaps to replace one that closed.</summary>
    public static void ConnectionOpened(string emulator, string requestClass, bool reopened)
    {
        var tags = Tags(emulator, requestClass);
        if (reopened)
        {
            Reconnects.Add(1, tags);
        }

        OpenedConnections.Add(1, tags);
        OpenConnections.Add(1, tags);
    }

    /// <summary>A connection closed.</summary>
    public static void ConnectionClosed(string emulator, string requestClass) => OpenConnections.Add(-1, Tags(emulator, requestClass));

    /// <summary>The tags of a measurement for one request class.</summary>
    public static TagList Tags(string emulator, string requestClass) =>
        [new("mgba.emulator", emulator), new("mgba.request_class", requestClass)];

    /// <summary>An attempt to connect failed.</summary>
    public static void ConnectFailed(string emulator, string failure) =>
        FailedConnects.Add(1, new("mgba.emulator", emulator), new("mgba.outcome", failure));

    private static Meter CreateMeter()
    {
        var meter = new Meter(MeterName);
        BufferMetrics.AddTo(meter);
        return meter;
    }
}
