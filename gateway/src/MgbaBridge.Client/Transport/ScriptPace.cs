namespace MgbaBridge.Client.Transport;

/// <summary>How fast the frames of a script's game are intended to be: limits in time follow from it, also those of a connection that is not greeted yet.</summary>
internal sealed class ScriptPace
{
    private static readonly TimeSpan SlowFrame = TimeSpan.FromMilliseconds(100);

    private long _period;

    /// <summary>Microseconds of a frame at the intended pace; 0 when it has no limit or is not known.</summary>
    public void SetPeriod(long microseconds) => Volatile.Write(ref _period, microseconds);

    /// <summary>A limit in time at this pace: limits are made for ten frames a second or more, and are longer where frames are.</summary>
    public TimeSpan Limit(TimeSpan limit)
    {
        var period = TimeSpan.FromMicroseconds(Volatile.Read(ref _period));
        return period > SlowFrame ? limit * (period / SlowFrame) : limit;
    }
}
