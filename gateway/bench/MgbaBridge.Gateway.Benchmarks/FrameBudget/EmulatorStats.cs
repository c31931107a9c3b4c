using System.Globalization;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Benchmarks.FrameBudget;

/// <summary>The emulator's totals since its start: seconds of its clock, frames, seconds in script callbacks, CPU seconds.</summary>
internal readonly partial record struct EmulatorStats(double Seconds, long Frames, double Callback, double Cpu)
{
    /// <summary>Parses its stats line; the CPU seconds come from /proc.</summary>
    public static EmulatorStats Parse(string line, double cpu)
    {
        var fields = Fields().Matches(line).DistinctBy(match => match.Groups[1].Value).ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value);
        return new EmulatorStats(Number("unix_s"), (long)Number("frames"), Number("total_callback_ms") / 1000, cpu);

        double Number(string name) => double.Parse(fields[name], CultureInfo.InvariantCulture);
    }

    public static EmulatorStats operator -(EmulatorStats now, EmulatorStats then) =>
        new(now.Seconds - then.Seconds, now.Frames - then.Frames, now.Callback - then.Callback, now.Cpu - then.Cpu);

    [GeneratedRegex(@"(\w+)=(\S+)")]
    private static partial Regex Fields();
}
