namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A clock that advances only when a test sets it.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private long _now = TimeSpan.TicksPerDay;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override long GetTimestamp() => Volatile.Read(ref _now);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp()) + Stepped;

    /// <summary>By how much the clock of the machine was set forward or back; timers and durations do not notice.</summary>
    public TimeSpan Stepped { get; set; }

    /// <summary>How many timers there are that were not disposed.</summary>
    public int Timers
    {
        get
        {
            lock (_gate)
            {
                return _timers.Count;
            }
        }
    }

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        timer.Change(dueTime, period);
        lock (_gate)
        {
            _timers.Add(timer);
        }

        return timer;
    }

    /// <summary>Advances step by step, so that periodic work runs as often as it would.</summary>
    public void Advance(TimeSpan span)
    {
        var end = _now + span.Ticks;
        while (_now < end)
        {
            Volatile.Write(ref _now, Math.Min(end, _now + TimeSpan.FromMilliseconds(5).Ticks));
            foreach (var timer in Due())
            {
                timer.Fire();
            }
        }
    }

    private ManualTimer[] Due()
    {
        lock (_gate)
        {
            return [.. _timers.Where(timer => timer.Due <= _now)];
        }
    }

    private sealed class ManualTimer(ManualTime time, TimerCallback callback, object? state) : ITimer
    {
        private TimeSpan _period;

        public long Due { get; private set; } = long.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            _period = period;
            Due = dueTime == Timeout.InfiniteTimeSpan ? long.MaxValue : time.GetTimestamp() + dueTime.Ticks;
            return true;
        }

        public void Fire()
        {
            Due = _period == Timeout.InfiniteTimeSpan || _period == TimeSpan.Zero ? long.MaxValue : time.GetTimestamp() + _period.Ticks;
            callback(state);
        }

        public void Dispose()
        {
            Due = long.MaxValue;
            lock (time._gate)
            {
                time._timers.Remove(this);
            }
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
