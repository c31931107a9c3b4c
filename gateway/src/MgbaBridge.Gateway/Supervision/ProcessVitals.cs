using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Supervision;

/// <summary>What the system knows about a process at one moment.</summary>
/// <param name="State">Whether it runs, as the system reports it.</param>
/// <param name="Cpu">Processor time since its start.</param>
/// <param name="Memory">Resident bytes.</param>
internal readonly record struct ProcessVitals(ProcessState State, TimeSpan Cpu, long Memory)
{
    private const int TicksPerSecond = 100; // USER_HZ, the same on all architectures

    /// <summary>Reads them; the default when the process has ended.</summary>
    public static ProcessVitals Of(Process process)
    {
        try
        {
            return OperatingSystem.IsLinux() ? Parse(File.ReadAllText(string.Create(CultureInfo.InvariantCulture, $"/proc/{process.Id}/stat"))) : Portable(process);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or InvalidOperationException or System.ComponentModel.Win32Exception)
        {
            return default;
        }
    }

    /// <summary>Parses a line of <c>/proc/PID/stat</c>: the name of the program, in parentheses, may contain anything.</summary>
    public static ProcessVitals Parse(string stat)
    {
        var fields = stat[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        var ticks = long.Parse(fields[11], CultureInfo.InvariantCulture) + long.Parse(fields[12], CultureInfo.InvariantCulture);
        var state = fields[0] switch
        {
            "T" => ProcessState.Stopped,
            "t" => ProcessState.Traced,
            "R" => ProcessState.Runnable,
            _ => ProcessState.Waiting,
        };
        return new ProcessVitals(state, TimeSpan.FromSeconds((double)ticks / TicksPerSecond), long.Parse(fields[21], CultureInfo.InvariantCulture) * Environment.SystemPageSize);
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

    /// <summary>A signal stopped it.</summary>
    Stopped,

    /// <summary>A debugger stopped it.</summary>
    Traced,
}
