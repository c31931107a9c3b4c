namespace MgbaBridge.Client.Emulator;

/// <summary>Waits until a state of an emulator is stored that has everything up to a frame. Returns why none was in time, or null.</summary>
/// <param name="frame">The frame.</param>
/// <param name="since">A moment before that frame, as a timestamp: a state from before a restart of the emulator may have a higher frame.</param>
/// <param name="cancellationToken">Ends the wait.</param>
internal delegate Task<string?> UntilStored(long frame, long since, CancellationToken cancellationToken);

/// <summary>
/// Until when effects may be sent to an emulator that another machine may take over. Reads are not affected. The deadline is one of this program's
/// monotonic clock, so that a clock that is set does not matter.
/// </summary>
/// <param name="time">The clock.</param>
internal sealed class HostLease(TimeProvider time)
{
    private long _until = long.MinValue;

    /// <summary>Whether effects are refused now.</summary>
    public bool HasEnded => time.GetTimestamp() >= Volatile.Read(ref _until);

    /// <summary>It lasts for so long from a moment in the past, before which the lease was requested or read.</summary>
    public void Renew(long from, TimeSpan length) => Volatile.Write(ref _until, from + (long)(length.TotalSeconds * time.TimestampFrequency));

    /// <summary>It has ended.</summary>
    public void End() => Volatile.Write(ref _until, long.MinValue);
}
