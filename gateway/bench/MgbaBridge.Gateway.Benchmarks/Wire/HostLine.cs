using System.Globalization;
using System.Text.RegularExpressions;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>The host's own account at one instant: frames since start, how many of them came late, and how many it gave up catching up with.</summary>
internal readonly partial record struct HostLine(double Seconds, long Frames, long Late, long Lost)
{
    /// <summary>Reads `mgba-headless: stats frames=… total_late=… total_lost=… unix_s=…`.</summary>
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
            : throw new WireException($"the host's stats line has no {name}=: {line}");
    }

    [GeneratedRegex(@"(\w+)=(\S+)")]
    private static partial Regex Fields();
}
