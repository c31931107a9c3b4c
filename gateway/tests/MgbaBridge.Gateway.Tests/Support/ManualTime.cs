using Microsoft.Extensions.Time.Testing;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>A clock that a test sets. It advances in steps, so that periodic work runs at the times at which it is due.</summary>
internal sealed class ManualTime : FakeTimeProvider
{
    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(5);
    private int _timers;

    /// <summary>How many timers have been made.</summary>
    public int Timers => Volatile.Read(ref _timers);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = base.CreateTimer(callback, state, dueTime, period);
        Interlocked.Increment(ref _timers);
        return timer;
    }

    public new void Advance(TimeSpan span)
    {
        for (; span > Step; span -= Step)
        {
            base.Advance(Step);
        }

        base.Advance(span);
    }
}
