using System.Globalization;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The frame rate of the game during a row.</summary>
/// <param name="Fps">Frames per second over the whole row.</param>
/// <param name="Windows">Frames per second of each 5-second window.</param>
/// <param name="Seconds">Length of the observation.</param>
/// <param name="Late">Frames that began more than a quarter of a period late.</param>
/// <param name="Lost">Frames that the emulator skipped because it was more than a quarter of a second behind.</param>
internal sealed record HostPace(double Fps, IReadOnlyList<double> Windows, double Seconds, long Late, long Lost)
{
    public static HostPace Of(IReadOnlyList<HostLine> lines)
    {
        if (lines.Count < 2)
        {
            return new HostPace(0, [], 0, 0, 0);
        }
        var windows = lines.Zip(lines.Skip(1), Rate).ToList();
        return new HostPace(Rate(lines[0], lines[^1]), windows, lines[^1].Seconds - lines[0].Seconds, lines[^1].Late - lines[0].Late, lines[^1].Lost - lines[0].Lost);
    }

    private static double Rate(HostLine from, HostLine to) => (to.Frames - from.Frames) / Math.Max(0.001, to.Seconds - from.Seconds);
}

/// <summary>The emulator's totals since its start: frames, late frames and skipped frames.</summary>
internal readonly partial record struct HostLine(double Seconds, long Frames, long Late, long Lost)
{
    /// <summary>Parses `mgba-headless: stats frames=… total_late=… total_lost=… unix_s=…`.</summary>
    public static HostLine? TryParse(string line)
    {
        if (!line.Contains(": stats ", StringComparison.Ordinal))
        {
            return null;
        }
        var fields = Fields().Matches(line).DistinctBy(match => match.Groups[1].Value).ToDictionary(match => match.Groups[1].Value, match => match.Groups[2].Value);
        return new HostLine(Number("unix_s"), (long)Number("frames"), (long)Number("total_late"), (long)Number("total_lost"));

        double Number(string name) => fields.TryGetValue(name, out var text)
            ? double.Parse(text, CultureInfo.InvariantCulture)
            : throw new MeasurementException($"the host's stats line has no {name}=: {line}");
    }

    [GeneratedRegex(@"(\w+)=(\S+)")]
    private static partial Regex Fields();
}
