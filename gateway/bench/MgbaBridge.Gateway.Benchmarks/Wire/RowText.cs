using System.Globalization;

namespace MgbaBridge.Gateway.Benchmarks.Wire;

/// <summary>A row as a person follows it while it runs.</summary>
internal static class RowText
{
    public static string Of(RowResult row)
    {
        var latency = row.Latency;
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"{row.Label,-8} {row.Row,-20} {row.Rate,9:N0}/s  p50 {latency.P50,8:F3}  p99 {latency.P99,8:F3}  p99.9 {latency.P999,8:F3}  max {latency.Max,8:F2} ms  bad {row.Tally.Bad}  fps {row.Pace.Fps:F2}  cpu {row.HostCpu:F2}+{row.GeneratorCpu:F2}+{row.OtherCpu:F2}");
        var extra = string.Join(' ', row.Extra.Select(pair => string.Create(CultureInfo.InvariantCulture, $"{pair.Key}={pair.Value:G4}")));
        return text + (row.HostAlive ? "" : "  EMULATOR DEAD") + (extra.Length > 0 ? "\n           " + extra : "");
    }
}
