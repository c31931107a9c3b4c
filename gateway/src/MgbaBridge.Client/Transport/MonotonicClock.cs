namespace MgbaBridge.Client.Transport;

/// <summary>
/// Timestamps as plain numbers: cheap enough for every request. Time in which this process did not run (it was stopped by a signal, its container was
/// frozen, the machine slept) does not pass: limits in time are about the emulator.
/// </summary>
internal sealed class MonotonicClock(TimeProvider time)
{
    // between two calls of Check, which are some 25 ms apart: a longer time was a pause of this process, or it had no processor
    private static readonly TimeSpan LongestStep = TimeSpan.FromMilliseconds(100);

    private readonly double _perTick = (double)time.TimestampFrequency / TimeSpan.TicksPerSecond;
    private readonly Lock _gate = new();
    private long _checked;
    private long _paused;

    /// <summary>Where the time comes from.</summary>
    public TimeProvider Time { get; } = time;

    /// <summary>Now.</summary>
    public long Now => Time.GetTimestamp() - Volatile.Read(ref _paused);

    /// <summary>Notices whether this process was paused. To be called regularly, before limits in time are checked. Returns the time now.</summary>
    public long Check()
    {
        lock (_gate)
        {
            var now = Time.GetTimestamp();
            var pause = _checked == 0 ? 0 : now - After(_checked, LongestStep);
            _checked = now;
            if (pause > 0)
            {
                Volatile.Write(ref _paused, _paused + pause);
            }

            return now - _paused;
        }
    }

    /// <summary>The timestamp that is <paramref name="span"/> after <paramref name="start"/>.</summary>
    public long After(long start, TimeSpan span) => start + (long)(span.Ticks * _perTick);

    /// <summary>The time between two timestamps; none when a pause was noticed after the first.</summary>
    public TimeSpan Between(long start, long end) => Time.GetElapsedTime(start, Math.Max(start, end));
}
