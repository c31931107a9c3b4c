using System.Globalization;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Benchmarks.Budget;

/// <summary>The host's own account at one instant, since its start: seconds by its clock, frames, seconds in scripts' callbacks, and of a processor.</summary>
internal readonly partial record struct HostAccount(double Seconds, long Frames, double Callback, double Cpu)
{
    /// <summary>Reads its stats line; the processor's seconds come from elsewhere.</summary>
    public static HostAccount Parse(string line, double cpu)
    {
        var fields = Fields().Matches(line).DistinctBy(match => match.Groups[1].Value).ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value);
        return new HostAccount(Number("unix_s"), (long)Number("frames"), Number("total_callback_ms") / 1000, cpu);

        double Number(string name) => double.Parse(fields[name], CultureInfo.InvariantCulture);
    }

    public static HostAccount operator -(HostAccount now, HostAccount then) =>
        new(now.Seconds - then.Seconds, now.Frames - then.Frames, now.Callback - then.Callback, now.Cpu - then.Cpu);

    [GeneratedRegex(@"(\w+)=(\S+)")]
    private static partial Regex Fields();
}
