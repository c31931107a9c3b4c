using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Engines.Supervision;

/// <summary>What the system knows about a process at one moment.</summary>
/// <param name="State">Whether it runs, as the system reports it.</param>
/// <param name="Cpu">Processor time since its start.</param>
/// <param name="Memory">Resident bytes.</param>
/// <param name="Delay">How long it waited for a processor since its start; zero where the system does not say.</param>
internal readonly record struct ProcessVitals(ProcessState State, TimeSpan Cpu, long Memory, TimeSpan Delay = default)
{
    private const int TicksPerSecond = 100; // USER_HZ, the same on all architectures

    /// <summary>Reads them; the default when the process has ended.</summary>
    public static ProcessVitals Of(Process process)
    {
        try
        {
            return OperatingSystem.IsLinux() ? Parse(Read(process, "stat"), Read(process, "schedstat")) : Portable(process);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            return default;
        }
    }

    /// <summary>
    /// Parses <c>/proc/PID/stat</c>, where the name of the program, in parentheses, may contain anything, and <c>/proc/PID/schedstat</c>: the nanoseconds that
    /// its main thread ran, and waited in the run queue.
    /// </summary>
    public static ProcessVitals Parse(string? stat, string? schedstat)
    {
        if (stat is null)
        {
            return default;
        }

        var fields = stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var ticks = long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture);
        var state = fields[0] switch
        {
            "T" => ProcessState.Stopped,
            "t" => ProcessState.Traced,
            "R" => ProcessState.Runnable,
            "D" => ProcessState.WaitingForDisk,
            _ => ProcessState.Waiting,
        };
        var delay = schedstat?.Split(' ') is [_, var nanoseconds, ..] ? long.Parse(nanoseconds, CultureInfo.InvariantCulture) / TimeSpan.NanosecondsPerTick : 0;
        return new ProcessVitals(
            state, TimeSpan.FromSeconds((double)ticks / TicksPerSecond), long.Parse(fields[21], CultureInfo.InvariantCulture) * Environment.SystemPageSize, TimeSpan.FromTicks(delay));
    }

    // the process may end at any moment, and schedstat depends on how the kernel was built
    private static string? Read(Process process, string name)
    {
        var file = string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Id}/{name}");
        return File.Exists(file) ? File.ReadAllText(file) : null;
    }

    private static ProcessVitals Portable(Process process)
    {
        process.Refresh();
        return new ProcessVitals(ProcessState.Waiting, process.TotalProcessorTime, process.WorkingSet64);
    }
}

/// <summary>Whether a process runs.</summary>
internal enum ProcessState
{
    /// <summary>It waits for something, or the system does not say.</summary>
    Waiting,

    /// <summary>It runs, or would if a processor were free.</summary>
    Runnable,

    /// <summary>It waits for a disk, or another device that must answer before a signal can end it.</summary>
    WaitingForDisk,

    /// <summary>A signal stopped it.</summary>
    Stopped,

    /// <summary>A debugger stopped it.</summary>
    Traced,
}
