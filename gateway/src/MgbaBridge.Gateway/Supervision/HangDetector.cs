namespace MgbaBridge.Gateway.Supervision;

/// <summary>
/// Decides whether a silent emulator hangs. An emulator that only waits for a processor on a busy machine is runnable and uses no processor
/// time; restarting it would lose play and make the machine busier, so it gets more time.
/// </summary>
/// <param name="timeout">How long a silent emulator may stay silent.</param>
/// <param name="time">The clock.</param>
internal sealed class HangDetector(TimeSpan timeout, TimeProvider time)
{
    /// <summary>How many times the timeout an emulator gets that does not get a processor.</summary>
    public const int StarvedFactor = 20;

    // far more than a frame takes, and little enough to be found soon on a busy machine
    private const int CpuShare = 10;

    private long? _silentSince;
    private TimeSpan _cpuBefore;

    /// <summary>Checks the emulator. Returns why it counts as hung, or null.</summary>
    public string? Look(bool answers, in ProcessVitals vitals)
    {
        if (answers && vitals.State != ProcessState.Stopped)
        {
            _silentSince = null;
            return null;
        }

        if (_silentSince is not { } since)
        {
            (_silentSince, _cpuBefore) = (time.GetTimestamp(), vitals.Cpu);
            return null;
        }

        var silent = time.GetElapsedTime(since);
        return vitals.State switch
        {
            ProcessState.Traced => null, // a debugger holds it, on purpose
            _ when silent < timeout => null,
            ProcessState.Stopped => $"its process was stopped by a signal and gave no sign for {Text(silent)}",
            ProcessState.Runnable when vitals.Cpu - _cpuBefore < timeout / CpuShare && silent < timeout * StarvedFactor => null,
            ProcessState.Runnable => $"it hangs: no sign for {Text(silent)} while it used {Text(vitals.Cpu - _cpuBefore)} of processor time",
            _ => $"it hangs: no sign for {Text(silent)}",
        };
    }

    private static string Text(TimeSpan span) => FormattableString.Invariant($"{span.TotalSeconds:0.0} s");
}
