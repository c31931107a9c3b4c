namespace MgbaBridge.Client.Transport;

/// <summary>Timestamps that only grow, as plain numbers: cheap enough for every request.</summary>
internal sealed class MonotonicClock(TimeProvider time)
{
    private readonly double _perTick = (double)time.TimestampFrequency / TimeSpan.TicksPerSecond;

    /// <summary>Where the time comes from.</summary>
    public TimeProvider Time { get; } = time;

    /// <summary>Now.</summary>
    public long Now => Time.GetTimestamp();

    /// <summary>The timestamp that is <paramref name="span"/> after <paramref name="start"/>.</summary>
    public long After(long start, TimeSpan span) => start + (long)(span.Ticks * _perTick);

    /// <summary>The time between two timestamps.</summary>
    public TimeSpan Between(long start, long end) => Time.GetElapsedTime(start, end);
}
