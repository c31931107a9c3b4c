namespace MgbaBridge.Engines.Supervision;

/// <summary>
/// Decides whether a silent emulator hangs: whether it gave no answer in the time that the machine gave it. Time in which it waited for a processor or a
/// disk does not count, since a restart would lose play and make the machine busier.
/// </summary>
/// <param name="timeout">How much time a silent emulator may use.</param>
/// <param name="time">The clock.</param>
internal sealed class HangDetector(TimeSpan timeout, TimeProvider time)
{
    private long? _silentSince;
    private long _checkedAt;
    private TimeSpan _given;
    private ProcessVitals _before;

    /// <summary>Checks the emulator. Returns why it counts as hung, or null.</summary>
    public string? Check(bool answers, in ProcessVitals vitals)
    {
        var now = time.GetTimestamp();
        if ((answers && vitals.State != ProcessState.Stopped) || vitals.State == ProcessState.Traced) // a debugger holds it on purpose
        {
            _silentSince = null;
            return null;
        }

        _given = _silentSince is null ? TimeSpan.Zero : _given + Given(time.GetElapsedTime(_checkedAt, now), vitals);
        _silentSince ??= now;
        (_checkedAt, _before) = (now, vitals);
        return _given < timeout ? null
            : vitals.State == ProcessState.Stopped ? $"its process was stopped by a signal for {Text(time.GetElapsedTime(_silentSince.Value, now))}"
            : $"it hangs: no sign for {Text(time.GetElapsedTime(_silentSince.Value, now))}, of which the machine gave it {Text(_given)}";
    }

    /// <summary>How much of the time since the last check the emulator could use; of a long one only a part, since then this program had no processor itself.</summary>
    private TimeSpan Given(TimeSpan passed, in ProcessVitals vitals)
    {
        var given = vitals.State switch
        {
            ProcessState.Runnable => vitals.Cpu - _before.Cpu,
            ProcessState.WaitingForDisk => TimeSpan.Zero,
            _ => passed - (vitals.Delay - _before.Delay),
        };
        return TimeSpan.FromTicks(Math.Clamp(given.Ticks, 0, timeout.Ticks / 2));
    }

    private static string Text(TimeSpan span) => FormattableString.Invariant($"{span.TotalSeconds:0.0} s");
}
